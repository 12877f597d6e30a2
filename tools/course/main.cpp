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
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "build.hpp"
#include "chapters.hpp"
#include "checkout.hpp"
#include "command_line.hpp"
#include "config.hpp"
#include "errors.hpp"
#include "picture.hpp"
#include "process.hpp"
#include "progress.hpp"
#include "tour.hpp"

namespace course::tool {
namespace {

bool stderr_is_terminal() {
  const char* const term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 80;
  return size.ws_col;
}

/// Builds, or ends the program with the errors on stderr.
void build_or_stop(const Checkout& checkout, const std::string& target, Progress& progress) {
  const BuildOutcome build = build_target(checkout, target, progress);
  if (build.ok) return;
  for (const std::string& line : build.errors) std::cerr << line << '\n';
  throw Failure((target.empty() ? "the build" : target) +
                " failed; the whole log: " + shown_path(build.log));
}

/// Builds everything and becomes ctest, whose closing line so is the last one.
[[noreturn]] void test(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  build_or_stop(checkout, "", progress);
  std::vector<std::string> command{checkout.ctest, "--test-dir", checkout.build_dir.string(),
                                   "--output-on-failure", "--no-tests=error"};
  const bool has_jobs = std::any_of(line.pass_on.begin(), line.pass_on.end(), [](const auto& word) {
    return word.starts_with("-j") || word.starts_with("--parallel");
  });
  if (!has_jobs) command.insert(command.end(), {"--parallel", parallel_level()});
  command.insert(command.end(), line.pass_on.begin(), line.pass_on.end());
  replace_process(command);
}

/// Builds a chapter and becomes it.
[[noreturn]] void run(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  const std::vector<Chapter> chapters = read_chapters(checkout.chapter_list());
  const Chapter& chapter = find_chapter(chapters, line.chapter);
  build_or_stop(checkout, chapter.target, progress);
  std::vector<std::string> command{chapter.program.string()};
  command.insert(command.end(), line.pass_on.begin(), line.pass_on.end());
  replace_process(command);
}

/// What counts traffic is the emulator. The script sees to that; but this program can be called
/// without it.
void require_emulator(const std::string& command) {
  if (std::string_view(config::backend) == "emulator") return;
  throw Failure(command + " wants the emulator, which counts: ./course " + command, status_refused);
}

/// Builds a chapter and becomes it, with the listing of its traffic at the end.
[[noreturn]] void traffic(const Checkout& checkout, CommandLine line, Progress& progress) {
  require_emulator("traffic");
  line.pass_on.insert(line.pass_on.begin(), "--traffic");
  run(checkout, line, progress);
}

/// Draws what a chapter's kernels ask of memory.
int picture(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  require_emulator("picture");
  const std::vector<Chapter> chapters = read_chapters(checkout.chapter_list());
  return draw_picture(checkout, find_chapter(chapters, line.chapter), line.picture, line.pass_on,
                      std::cout, std::cerr, progress);
}

/// Builds the measuring bench and becomes it.
int measure(const Checkout& checkout, const CommandLine& line, Progress& progress) {
  if (std::string_view(config::backend) != "cuda") {
    std::cout << "SKIPPED: without a GPU there is nothing to measure\n" << std::flush;
    return status_skipped;
  }
  build_or_stop(checkout, "course_measure", progress);
  std::vector<std::string> command{(checkout.build_dir / "bin" / "course_measure").string()};
  command.insert(command.end(), line.pass_on.begin(), line.pass_on.end());
  replace_process(command);
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
      test(checkout, line, progress);
    case Command::run:
      run(checkout, line, progress);
    case Command::traffic:
      traffic(checkout, line, progress);
    case Command::picture:
      return picture(checkout, line, progress);
    case Command::measure:
      return measure(checkout, line, progress);
    case Command::list:
      std::cout << chapter_table(read_chapters(checkout.chapter_list()));
      return status_ok;
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
  try {
    const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    return course::tool::obey(course::tool::parse_command_line(arguments));
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
