/// @file
/// The program behind ./course: ./course --help says what it does.
///
/// The script ./course comes first: it sees to compiler, packages and configuration, and builds
/// this program. What is here can count on a configured build folder.

#include <unistd.h>

#include <algorithm>
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
#include "exercises/list_command.hpp"
#include "exercises/new_exercise.hpp"
#include "exercises/next_step.hpp"
#include "exercises/student_record.hpp"
#include "exercises/watch.hpp"
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
#include "program/built_programs.hpp"
#include "program/program.hpp"
#include "skipped_tests.hpp"
#include "tour.hpp"
#include "wrapping_output.hpp"

namespace course::tool {
namespace {

/// Whether what goes to standard output is meant for a program or a compiler: no line of it may be
/// broken.
bool output_is_a_file(const CommandLine& line) {
  using Command = CommandLine::Command;
  const auto& words = line.picture;
  return line.command == Command::solution ||
         std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word == "-" || word == "--out=-"; });
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

/// The commands that are about exercises.
int exercise_command(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  using Command = CommandLine::Command;
  const ExerciseList list = read_exercises(exercise_list_file(checkout));
  const Screen screen = screen_for(progress);
  if (line.command == Command::check) {
    return check_command(checkout, list, line.chapter, screen, line.json);
  }
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
  Progress progress = progress_on_stderr();
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
    case Command::grade:
      grade(checkout, line, progress);
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
  using namespace course::tool;
  return run_program(argc, argv, [](const std::vector<std::string>& arguments) {
    const CommandLine line = parse_command_line(arguments);
    const std::size_t width =
        output_is_a_file(line) ? course::any_width : course::line_width(STDOUT_FILENO);
    const bool is_list = line.command == CommandLine::Command::list;
    const WrappingOutput output(std::cout, width, is_list ? LongWords::broken : LongWords::whole);
    return if_all_was_written(obey(line), "course");
  });
}
