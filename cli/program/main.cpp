/// @file
/// The program behind ./course: ./course --help says what it does.
///
/// The script ./course comes first: it sees to compiler, packages and configuration, and builds
/// this program. What stands here can count on a configured build folder.

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "chapters.hpp"
#include "command_line.hpp"
#include "config.hpp"
#include "console/terminal.hpp"
#include "ctest_options.hpp"
#include "exercises/check.hpp"
#include "exercises/exercise_commands.hpp"
#include "exercises/exercise_traffic.hpp"
#include "exercises/list_command.hpp"
#include "exercises/new_exercise.hpp"
#include "exercises/next_step.hpp"
#include "exercises/student_record.hpp"
#include "exercises/watch.hpp"
#include "grader/grade_command.hpp"
#include "help.hpp"
#include "host/build.hpp"
#include "host/checkout.hpp"
#include "host/errors.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/files.hpp"
#include "host/process.hpp"
#include "host/progress.hpp"
#include "host/screen.hpp"
#include "host/standard_streams.hpp"
#include "keyboard.hpp"
#include "own_program.hpp"
#include "picture.hpp"
#include "skipped_tests.hpp"
#include "tour.hpp"
#include "wrapping_output.hpp"

namespace course::tool {
namespace {

bool stderr_is_terminal() {
  const char* const term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

bool stdout_is_screen() {
  const char* const term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

bool stdout_has_colours() {
  const char* const none = std::getenv("NO_COLOR");
  return stdout_is_screen() && (none == nullptr || *none == '\0');
}

/// Whether what goes to standard output is meant for a program or a compiler: no line of it may be
/// broken.
bool output_is_a_file(const CommandLine& line) {
  using Command = CommandLine::Command;
  const auto& words = line.picture;
  return line.command == Command::solution || line.extra.output_is_a_file ||
         std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word == "-" || word == "--out=-"; });
}

/// What commands write to, as wide as it is.
Screen screen_for(Progress& progress) {
  return {std::cout, std::cerr, progress, stdout_has_colours(), line_width(STDOUT_FILENO)};
}

/// Builds, or ends the program with the errors on stderr.
/// @param program what the target makes, if that is a program
void build_or_stop(const Checkout& checkout, const std::string& target, Progress& progress,
                   const std::filesystem::path& program = {}) {
  const BuildOutcome build = build_program(checkout, target, program, progress);
  if (build.ok) return;
  for (const std::string& line : build.errors) std::cerr << line << '\n';
  throw Failure((target.empty() ? "the build" : target) +
                " failed; the whole log: " + shown_path(build.log));
}

/// What `ctest --help` prints.
std::string ctest_help(const Checkout& checkout) {
  std::string text;
  run_process({checkout.ctest, "--help"},
              [&](Stream, std::string_view line) { text.append(line).append("\n"); });
  return text;
}

/// Builds everything and runs ctest; then says which tests were left out, and why. What a student
/// has written is judged only if the options ask for it.
int test(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  if (!line.pass_on.empty()) {
    const std::string unknown = unknown_option(line.pass_on, ctest_help(checkout));
    if (!unknown.empty()) {
      throw Failure("test: ctest has no option '" + unknown + "' (ctest --help names them)",
                    status_refused);
    }
  }
  build_or_stop(checkout, "", progress);
  std::vector<std::string> command{checkout.ctest, "--test-dir", checkout.build_dir.string(),
                                   "--output-on-failure", "--no-tests=error"};
  const bool has_jobs = std::any_of(line.pass_on.begin(), line.pass_on.end(), [](const auto& word) {
    return word.starts_with("-j") || word.starts_with("--parallel");
  });
  if (!has_jobs) {
    // Many tests wait: for a time limit, a browser, another program.
    const int jobs = std::stoi(parallel_level());
    command.insert(command.end(), {"--parallel", std::to_string(jobs + (jobs + 1) / 2)});
  }
  if (!selects_tests(line.pass_on)) command.insert(command.end(), {"-LE", "^exercises$"});
  command.insert(command.end(), line.pass_on.begin(), line.pass_on.end());

  // It is not there after --show-only and the like; one from last time would mislead.
  const std::filesystem::path log = checkout.build_dir / "Testing/Temporary/LastTest.log";
  std::error_code ignored;
  std::filesystem::remove(log, ignored);
  const int status = run_in_foreground(command);
  const std::string left_out = skipped_tests(read_file(log).value_or(""));
  if (!left_out.empty()) std::cerr << "course: " << left_out << std::endl;
  return status;
}

/// Builds a chapter and becomes it.
[[noreturn]] void run(const Checkout& checkout, const CommandLine& line, Progress& progress) {
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
  std::vector<std::string> command{program.string()};
  command.insert(command.end(), line.pass_on.begin(), line.pass_on.end());
  replace_process(command);
}

/// What counts traffic is the emulator, and what grades. The script sees to that; but this program
/// can be called without it.
void require_emulator(const std::string& command) {
  if (std::string(config::backend) == "emulator") return;
  throw Failure(command + " wants the emulator: ./course --backend emulator " + command,
                status_refused);
}

/// Builds emucc.
std::filesystem::path built_emucc(const Checkout& checkout, Progress& progress) {
  std::filesystem::path program = checkout.build_dir / "emulator" / "emucc";
  build_or_stop(checkout, "emucc", progress, program);
  return program;
}

/// Compiles a program of the user's and becomes it. Who tries out a kernel wants to know what is
/// wrong with it, unless the environment says otherwise.
[[noreturn]] void emucc(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  require_emulator("emucc");
  if (line.pass_on.empty()) {
    throw Failure("emucc wants a file: ./course emucc mine.cu", status_refused);
  }
  const auto command = emucc_command(built_emucc(checkout, progress), line.pass_on);
  if (looks_into(command)) setenv("EMULATOR_CHECK", "1", 0);
  replace_process(command);
}

/// The command that runs a source file so that its traffic is counted.
std::vector<std::string> counted_run(const Checkout& checkout, const CommandLine& line,
                                     Progress& progress) {
  std::vector<std::string> words{line.chapter};
  words.insert(words.end(), line.pass_on.begin(), line.pass_on.end());
  return emucc_command(built_emucc(checkout, progress), words);
}

/// Builds a chapter and becomes it, with the listing of its traffic at the end.
[[noreturn]] void traffic(const Checkout& checkout, CommandLine line, Progress& progress) {
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

/// On a GPU: builds the library that records a timeline.
std::filesystem::path built_recorder(const Checkout& checkout, Progress& progress) {
  std::filesystem::path library = checkout.build_dir / "bin" / "libtimeline_recorder.so";
  build_or_stop(checkout, "timeline_recorder", progress, library);
  return library;
}

/// Draws what a program's kernels ask of memory, or what its streams do when.
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

/// Builds the measuring bench and becomes it.
int measure(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  if (std::string(config::backend) != "cuda") {
    std::cout << "SKIPPED: without a GPU there is nothing to measure\n" << std::flush;
    return status_skipped;
  }
  const std::filesystem::path program = checkout.build_dir / "bin" / "course_measure";
  build_or_stop(checkout, "course_measure", progress, program);
  std::vector<std::string> command{program.string()};
  command.insert(command.end(), line.pass_on.begin(), line.pass_on.end());
  replace_process(command);
}

/// The commands that are about exercises.
int exercise_command(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  using Command = CommandLine::Command;
  const ExerciseList list = read_exercises(exercise_list_file(checkout));
  const Screen screen = screen_for(progress);
  if (line.command == Command::check) return check_command(checkout, list, line.chapter, screen);
  if (line.command == Command::watch) {
    WatchSettings settings;
    settings.clear = stdout_is_screen();
    Keyboard keyboard(settings.clear);
    if (keyboard.works()) settings.key = [&](auto time) { return keyboard.key(time); };
    return watch_command(checkout, list, line.chapter, screen, settings);
  }
  const Exercise& exercise = find_exercise(list, line.chapter);
  switch (line.command) {
    case Command::hint:
      return hint_command(checkout, exercise, line.again, screen);
    case Command::reset:
      return reset_command(checkout, exercise, screen);
    case Command::solution:
      return solution_command(checkout, exercise, line.anyway, screen);
    default:
      return build_exercise(checkout, list, exercise, screen);
  }
}

/// A command of another room.
int extra(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  if (line.extra.wants_emulator) require_emulator(line.chapter);
  return line.extra.run(checkout, screen_for(progress));
}

/// Walks along the ladder; then says how to go on.
int tour(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  const std::vector<Chapter> chapters = read_chapters(checkout.chapter_list());
  const int status = run_tour(checkout, chapters, line.pass_on, screen_for(progress));
  if (status != status_ok) return status;
  std::cout << '\n'
            << next_step(checkout, chapters, read_exercises(exercise_list_file(checkout)),
                         read_student_record(checkout, std::cerr));
  return status;
}

/// What there is: chapters, and exercises with what was done about them.
int list(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  // All of it first: half is no answer.
  const CourseContents contents{read_chapters(checkout.chapter_list()),
                                read_exercises(exercise_list_file(checkout)),
                                read_student_record(checkout, std::cerr)};
  std::cout << course_list(checkout, contents, line.all, line.chapter, screen_for(progress));
  return status_ok;
}

int obey(const CommandLine& line) {
  using Command = CommandLine::Command;
  const Checkout checkout{config::source_dir, config::build_dir, config::cmake, config::ctest};
  const std::size_t width = line_width(STDERR_FILENO);
  Progress progress(std::cerr, stderr_is_terminal(), width == any_width ? 80 : width);
  switch (line.command) {
    case Command::help:
      std::cout << help_text(line.topic);
      return status_ok;
    case Command::version:
      std::cout << "CUDA, step by step " << config::version << '\n';
      return status_ok;
    case Command::tour:
      return tour(checkout, line, progress);
    case Command::test:
      return test(checkout, line, progress);
    case Command::run:
      run(checkout, line, progress);
    case Command::traffic:
      traffic(checkout, line, progress);
    case Command::picture:
      return picture(checkout, line, progress);
    case Command::emucc:
      emucc(checkout, line, progress);
    case Command::new_exercise:
      require_emulator("new-exercise");
      return new_exercise_command(checkout, line.chapter, line.name);
    case Command::extra:
      return extra(checkout, line, progress);
    case Command::measure:
      return measure(checkout, line, progress);
    case Command::list:
      return list(checkout, line, progress);
    case Command::check:
    case Command::watch:
    case Command::hint:
    case Command::reset:
    case Command::solution:
    case Command::build_exercise:
      return exercise_command(checkout, line, progress);
    case Command::doctor:
      // It must also answer where this program cannot be built, hence the script does it.
      replace_process({(checkout.source_dir / "course").string(), "doctor"});
  }
  return status_failed;
}

}  // namespace
}  // namespace course::tool

int main(int argc, char** argv) {
  using course::tool::Failure;
  course::tool::open_closed_streams();
  const std::size_t width = course::line_width(STDERR_FILENO);
  if (width != course::any_width) std::cerr << std::nounitbuf;  // a line is broken once it is whole
  const course::tool::WrappingOutput errors(std::cerr, width);
  try {
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const course::tool::CommandLine line =
        course::tool::parse_command_line(arguments, {course::tool::grading::grade_command()});
    const bool as_it_is = course::tool::output_is_a_file(line);
    const bool is_list = line.command == course::tool::CommandLine::Command::list;
    const course::tool::WrappingOutput output(
        std::cout, as_it_is ? course::any_width : course::line_width(STDOUT_FILENO),
        is_list ? course::tool::LongWords::broken : course::tool::LongWords::whole);
    const int status = course::tool::obey(line);
    return course::tool::if_all_was_written(status, "course");
  } catch (const course::tool::Interrupted& interrupted) {
    std::cerr << "course: interrupted" << std::endl;
    return 128 + interrupted.signal();
  } catch (const Failure& failure) {
    std::cout << std::flush;
    std::cerr << "course: " << failure.what() << std::endl;
    return failure.status();
  } catch (const std::exception& error) {
    std::cerr << "course: " << error.what() << std::endl;
    return course::tool::status_failed;
  }
}
