#include "program/built_programs.hpp"

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "chapters.hpp"
#include "config.hpp"
#include "exercises/exercise_traffic.hpp"
#include "host/build.hpp"
#include "host/errors.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/process.hpp"
#include "host/screen.hpp"
#include "own_program.hpp"
#include "picture.hpp"
#include "program/program.hpp"

namespace course::tool {
namespace {

/// Builds emucc.
std::filesystem::path built_emucc(const Checkout& checkout, Progress& progress) {
  std::filesystem::path program = checkout.build_dir / "emulator" / "emucc";
  build_or_stop(checkout, "emucc", progress, program);
  return program;
}

/// The command that runs a source file so that its traffic is counted.
std::vector<std::string> counted_run(const Checkout& checkout, const CommandLine& line,
                                     Progress& progress) {
  std::vector<std::string> words{line.chapter};
  words.insert(words.end(), line.pass_on.begin(), line.pass_on.end());
  return emucc_command(built_emucc(checkout, progress), words);
}

/// On a GPU: builds the library that records a timeline.
std::filesystem::path built_recorder(const Checkout& checkout, Progress& progress) {
  std::filesystem::path library = checkout.build_dir / "bin" / "libtimeline_recorder.so";
  build_or_stop(checkout, "timeline_recorder", progress, library);
  return library;
}

/// Becomes a program that was built.
[[noreturn]] void become(const std::filesystem::path& program,
                         const std::vector<std::string>& words) {
  std::vector<std::string> command{program.string()};
  command.insert(command.end(), words.begin(), words.end());
  replace_process(command);
}

}  // namespace

void build_or_stop(const Checkout& checkout, const std::string& target, Progress& progress,
                   const std::filesystem::path& program) {
  const BuildOutcome build = build_program(checkout, target, program, progress);
  if (build.ok) return;
  for (const std::string& line : build.errors) std::cerr << line << '\n';
  throw Failure((target.empty() ? "the build" : target) +
                " failed; the whole log: " + shown_path(build.log));
}

void require_emulator(const std::string& command) {
  if (std::string(config::backend) == "emulator") return;
  throw Failure(command + " wants the emulator: ./course --backend emulator " + command,
                status_refused);
}

void run(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  if (names_source(line.chapter)) {
    throw Failure("a program of your own is run by ./course emucc " + line.chapter, status_refused);
  }
  if (names_exercise(line.chapter)) {
    throw Failure(line.chapter + " is an exercise: ./course check " + line.chapter, status_refused);
  }
  const std::vector<Chapter> chapters = read_chapters(checkout.chapter_list());
  const Chapter& chapter = find_chapter(chapters, line.chapter);
  if (line.fast && chapter.fast_target.empty()) {
    throw Failure(
        "--fast is the emulator's: on a GPU nothing is counted (./course --backend emulator run " +
            chapter.number + " --fast)",
        status_refused);
  }
  const std::filesystem::path program = line.fast ? chapter.fast_program : chapter.program;
  build_or_stop(checkout, line.fast ? chapter.fast_target : chapter.target, progress, program);
  if (chapter.devices > 0) {  // unless the caller says how many
    setenv("EMULATOR_DEVICES", std::to_string(chapter.devices).c_str(), 0);
  }
  become(program, line.pass_on);
}

void emucc(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  require_emulator("emucc");
  if (line.pass_on.empty()) {
    throw Failure("emucc wants a file: ./course emucc mine.cu", status_refused);
  }
  const auto command = emucc_command(built_emucc(checkout, progress), line.pass_on);
  if (looks_into(command)) setenv("EMULATOR_CHECK", "1", 0);
  replace_process(command);
}

void traffic(const Checkout& checkout, CommandLine line, Progress& progress) {
  require_emulator("traffic");
  if (names_source(line.chapter)) {
    const auto command = counted_run(checkout, line, progress);
    setenv("EMULATOR_TRAFFIC", "1", 1);
    replace_process(command);
  }
  if (names_exercise(line.chapter)) {
    const ExerciseList list = read_exercises(exercise_list_file(checkout));
    const Screen screen = screen_for(progress);
    exercise_traffic(checkout, list, find_exercise(list, line.chapter), line.pass_on, screen);
  }
  line.pass_on.insert(line.pass_on.begin(), "--traffic");
  run(checkout, line, progress);
}

int picture(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  Picture picture{line.timeline ? Picture::Subject::timeline : Picture::Subject::accesses,
                  line.picture};
  if (line.timeline && names_timeline(line.chapter)) {
    require_python();
    return draw_file(checkout, line.chapter, picture, std::cout, std::cerr);
  }
  const bool is_chapter = !names_source(line.chapter) && !names_exercise(line.chapter);
  if (line.timeline && is_chapter && std::string(config::backend) == "cuda") {
    picture.recorder = built_recorder(checkout, progress);
  } else {
    require_emulator("picture");
  }
  if (names_source(line.chapter)) {
    require_python();
    Drawable drawable;
    drawable.name = line.chapter;
    drawable.command = counted_run(checkout, line, progress);
    return draw_report(checkout, drawable, picture, std::cout, std::cerr, progress);
  }
  if (names_exercise(line.chapter)) {
    const ExerciseList list = read_exercises(exercise_list_file(checkout));
    const Screen screen = screen_for(progress);
    return exercise_picture(checkout, list, find_exercise(list, line.chapter), picture,
                            line.pass_on, screen);
  }
  const std::vector<Chapter> chapters = read_chapters(checkout.chapter_list());
  return draw_picture(checkout, find_chapter(chapters, line.chapter), picture, line.pass_on,
                      std::cout, std::cerr, progress);
}

int measure(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  if (std::string(config::backend) != "cuda") {
    std::cout << "SKIPPED: without a GPU there is nothing to measure\n" << std::flush;
    return status_skipped;
  }
  const std::filesystem::path program = checkout.build_dir / "bin" / "course_measure";
  build_or_stop(checkout, "course_measure", progress, program);
  become(program, line.pass_on);
}

void grade(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  require_emulator("grade");
  const std::filesystem::path program = checkout.build_dir / "bin" / "course-grade";
  build_or_stop(checkout, "course-grade", progress, program);
  become(program, line.pass_on);
}

}  // namespace course::tool
