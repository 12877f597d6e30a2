/// @file
/// The program behind ./course: ./course --help says what it does.
///
/// The script ./course comes first: it sees to compiler, packages and configuration, and builds
/// this program. What stands here can count on a configured build folder.

#include <sys/ioctl.h>
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

#include "build.hpp"
#include "chapters.hpp"
#include "checkout.hpp"
#include "command_line.hpp"
#include "config.hpp"
#include "errors.hpp"
#include "exercises/check.hpp"
#include "exercises/exercise_commands.hpp"
#include "exercises/exercise_traffic.hpp"
#include "exercises/exercises.hpp"
#include "exercises/student_record.hpp"
#include "exercises/watch.hpp"
#include "files.hpp"
#include "grader/grade_command.hpp"
#include "picture.hpp"
#include "process.hpp"
#include "progress.hpp"
#include "screen.hpp"
#include "skipped_tests.hpp"
#include "standard_streams.hpp"
#include "tour.hpp"

namespace course::tool {
namespace {

bool stderr_is_terminal() {
  const char* const term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

bool stdout_has_colours() {
  const char* const none = std::getenv("NO_COLOR");
  const char* const term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && (none == nullptr || *none == '\0') && term != nullptr &&
         std::string_view(term) != "dumb";
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
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

/// Whether ctest's options say themselves which tests are meant.
bool selects_tests(const std::vector<std::string>& options) {
  return std::any_of(options.begin(), options.end(), [](const std::string& word) {
    for (const char* const start :
         {"-L", "-R", "-E", "-I", "--label-", "--tests-", "--exclude-regex", "--rerun-failed",
          "--test-dir", "--show-only", "--print-labels"}) {
      if (word.starts_with(start)) return true;
    }
    return false;
  });
}

/// Builds everything and runs ctest; then says which tests were left out, and why. What a student
/// has written is judged only if the options ask for it.
int test(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  build_or_stop(checkout, "", progress);
  std::vector<std::string> command{checkout.ctest, "--test-dir", checkout.build_dir.string(),
                                   "--output-on-failure", "--no-tests=error"};
  const bool has_jobs = std::any_of(line.pass_on.begin(), line.pass_on.end(), [](const auto& word) {
    return word.starts_with("-j") || word.starts_with("--parallel");
  });
  if (!has_jobs) command.insert(command.end(), {"--parallel", parallel_level()});
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

/// Builds a chapter and becomes it, with the listing of its traffic at the end.
[[noreturn]] void traffic(const Checkout& checkout, CommandLine line, Progress& progress) {
  require_emulator("traffic");
  if (names_exercise(line.chapter)) {
    const ExerciseList list = read_exercises(exercise_list_file(checkout));
    const Screen screen{std::cout, std::cerr, progress, stdout_has_colours()};
    exercise_traffic(checkout, list, find_exercise(list, line.chapter), line.pass_on, screen);
  }
  line.pass_on.insert(line.pass_on.begin(), "--traffic");
  run(checkout, line, progress);
}

/// Draws what a chapter's kernels ask of memory.
int picture(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  require_emulator("picture");
  if (names_exercise(line.chapter)) {
    const ExerciseList list = read_exercises(exercise_list_file(checkout));
    const Screen screen{std::cout, std::cerr, progress, stdout_has_colours()};
    return exercise_picture(checkout, list, find_exercise(list, line.chapter), line.picture,
                            line.pass_on, screen);
  }
  const std::vector<Chapter> chapters = read_chapters(checkout.chapter_list());
  return draw_picture(checkout, find_chapter(chapters, line.chapter), line.picture, line.pass_on,
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
  const Screen screen{std::cout, std::cerr, progress, stdout_has_colours()};
  if (line.command == Command::check) return check_command(checkout, list, line.chapter, screen);
  if (line.command == Command::watch) return watch_command(checkout, list, line.chapter, screen);
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

/// Marks submissions.
int grade(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  require_emulator("grade");
  const Screen screen{std::cout, std::cerr, progress, stdout_has_colours()};
  return grading::grade_command(checkout, read_exercises(exercise_list_file(checkout)), line.grade,
                                screen);
}

/// What there is: chapters, and exercises with what was done about them.
int list(const Checkout& checkout) {
  // Both first: half of it is no answer.
  const std::string chapters = chapter_table(read_chapters(checkout.chapter_list()));
  const std::string exercises = exercise_table(read_exercises(exercise_list_file(checkout)),
                                               read_student_record(checkout, std::cerr));
  std::cout << chapters;
  if (!exercises.empty()) std::cout << '\n' << exercises;
  return status_ok;
}

int obey(const CommandLine& line) {
  using Command = CommandLine::Command;
  const Checkout checkout{config::source_dir, config::build_dir, config::cmake, config::ctest};
  Progress progress(std::cerr, stderr_is_terminal(), terminal_width());
  switch (line.command) {
    case Command::help:
      std::cout << config::help;
      return status_ok;
    case Command::version:
      std::cout << "CUDA, step by step " << config::version << '\n';
      return status_ok;
    case Command::tour:
      return run_tour(checkout, read_chapters(checkout.chapter_list()), line.pass_on, std::cout,
                      progress);
    case Command::test:
      return test(checkout, line, progress);
    case Command::run:
      run(checkout, line, progress);
    case Command::traffic:
      traffic(checkout, line, progress);
    case Command::picture:
      return picture(checkout, line, progress);
    case Command::grade:
      return grade(checkout, line, progress);
    case Command::measure:
      return measure(checkout, line, progress);
    case Command::list:
      return list(checkout);
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
  try {
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    const int status = course::tool::obey(course::tool::parse_command_line(arguments));
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
