#include "host/build.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <thread>

#include "host/build_lock.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/process.hpp"

namespace course::tool {
namespace {

bool contains_error(const std::string& line) {
  return line.find("rror") != std::string::npos;  // error, Error, CMake Error
}

/// Progress, and what ninja says about a failed command besides the command's own output.
bool is_noise(const std::string& line) {
  if (line.find_first_not_of(' ') == std::string::npos) return true;
  if (parse_build_step(line) || line.starts_with("FAILED: ")) return true;
  if (line.starts_with("ninja: build stopped")) return true;
  return line.starts_with('/') && line.find(" -o ") != std::string::npos;
}

}  // namespace

std::vector<std::string> relevant_lines(const std::vector<std::string>& output, std::size_t limit) {
  std::vector<std::string> lines;
  std::copy_if(output.begin(), output.end(), std::back_inserter(lines),
               [](const std::string& line) { return !is_noise(line); });
  const auto first_error = std::find_if(lines.begin(), lines.end(), contains_error);
  if (first_error != lines.end()) {
    lines.erase(lines.begin(), first_error);
    lines.resize(std::min(lines.size(), limit));
  } else if (lines.size() > limit) {
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(limit));
  }
  return lines;
}

std::string parallel_level() {
  const char* const wanted = std::getenv("CMAKE_BUILD_PARALLEL_LEVEL");
  if (wanted != nullptr && *wanted != '\0') {
    const std::string jobs = wanted;
    // CMake and ninja would answer with all of their options.
    if (jobs.size() <= 4 && jobs.front() != '0' &&
        jobs.find_first_not_of("0123456789") == std::string::npos) {
      return jobs;
    }
    throw Failure(
        "CMAKE_BUILD_PARALLEL_LEVEL wants a number of jobs from 1 to 9999, got '" + jobs + "'",
        status_refused);
  }
  return std::to_string(std::max(1U, std::thread::hardware_concurrency()));
}

BuildOutcome build_target(const Checkout& checkout, const std::string& target, Progress& progress) {
  const BuildLock lock = BuildLock::of_build(checkout, progress);
  BuildOutcome outcome;
  outcome.log = checkout.log_dir() / ("build-" + (target.empty() ? "all" : target) + ".log");
  std::error_code error;
  std::filesystem::create_directories(checkout.log_dir(), error);
  std::ofstream log(outcome.log);
  if (!log) {
    throw Failure("cannot write " + shown_path(outcome.log) +
                      ": set COURSE_BUILD_DIR to a folder you can write to",
                  status_refused);
  }

  // Our progress depends on this form of ninja's.
  setenv("NINJA_STATUS", "[%f/%t] ", 1);
  std::vector<std::string> command{checkout.cmake, "--build", checkout.build_dir.string()};
  if (!target.empty()) command.insert(command.end(), {"--target", target});
  command.insert(command.end(), {"--parallel", parallel_level()});

  std::vector<std::string> output;
  progress.begin("building " + (target.empty() ? "everything" : target));
  std::string reached;
  RunningSteps steps;
  RunOptions run_options;
  // make names each step once, when it begins.
  const bool has_ninja = std::filesystem::exists(checkout.build_dir / "build.ninja", error);
  if (has_ninja) {
    run_options.on_terminal = true;
    run_options.environment = {{"TERM", "xterm"}};  // not `dumb`, where ninja would say less
  }
  const ExitStatus status = run_process(
      command,
      [&](Stream, std::string_view line) {
        log << line << '\n';
        output.emplace_back(line);
        const auto step = parse_build_step(line);
        if (!step || !makes_something(*step)) return;
        if (!has_ninja) steps = {};
        steps.add(*step);
        reached = '[' + step->reached + "] ";
        progress.update(reached + steps.text());
      },
      [&](std::chrono::milliseconds elapsed) {
        // Something may take a while before the first step; where each line stays, that is no news.
        if (elapsed < std::chrono::seconds(1)) return;
        if (reached.empty() && !progress.is_terminal()) return;
        const std::string doing = reached.empty() ? "" : ", " + steps.text();
        progress.update(reached + duration_text(elapsed) + doing);
      },
      run_options);
  progress.done();
  outcome.ok = status.ok();
  if (!outcome.ok) outcome.errors = relevant_lines(output);
  return outcome;
}

BuildOutcome build_program(const Checkout& checkout, const std::string& target,
                           const std::filesystem::path& program, Progress& progress) {
  BuildOutcome outcome = build_target(checkout, target, progress);
  std::error_code error;
  if (!outcome.ok || !std::filesystem::exists(program, error) || is_whole_program(program)) {
    return outcome;
  }
  std::filesystem::remove(program, error);
  return build_target(checkout, target, progress);
}

}  // namespace course::tool
