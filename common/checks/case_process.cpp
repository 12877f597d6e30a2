#include "checks/case_process.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "checks/exercise.hpp"
#include "checks/shown_errors.hpp"

namespace course::exercise::detail {
namespace {

using Json = nlohmann::ordered_json;

volatile std::sig_atomic_t running_case = 0;

void end_with_case(int signal) {
  if (running_case != 0) kill(-static_cast<pid_t>(running_case), SIGKILL);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Whatever else there is to say.
Outcome ended_as(const std::string& result, const std::string& message) {
  return {result, message, "", ""};
}

/// The case's process: tells its outcome and ends. A case that is to be safe ends as a program
/// does, whereupon the emulator looks for what was never freed, and says so by the exit status 3.
[[noreturn]] void be_the_case(const std::string& name, const std::function<Outcome()>& run,
                              int report) {
  Outcome outcome = run();
  // What an exception leaves allocated is not an error where it is to come.
  outcome.errors_found = errors_found("leak");
  if (const auto& at_end = at_case_end();
      at_end != nullptr && outcome.result == "passed" && name.starts_with("safe")) {
    if (const std::string wrong = at_end(); !wrong.empty()) outcome = ended_as("failed", wrong);
  }
  std::cout.flush();
  std::fflush(nullptr);
  const std::string text = Json{
      {"result", outcome.result},
      {"message", outcome.message},
      {"errors found",
       outcome.errors_found}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(report, text.data() + sent, text.size() - sent);
    if (count < 0 && errno != EINTR) _exit(1);
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
  close(report);
  if (outcome.result == "failed") std::exit(1);
  if (name.starts_with("safe")) std::exit(0);
  _exit(0);
}

/// What a case's process left behind.
struct ProcessRecord {
  std::string report;
  std::string errors;  ///< its stderr
  int status = 0;      ///< as waitpid() gives it
  bool timed_out = false;
  std::string stalled_by;  ///< by what, if it was not by the code under test
};

ProcessRecord collect(pid_t child, int report, int errors, std::chrono::seconds limit) {
  ProcessRecord record;
  std::array<pollfd, 2> ends{pollfd{report, POLLIN, 0}, pollfd{errors, POLLIN, 0}};
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) {
      record.timed_out = true;
      if (const auto& question = stall_cause()) {
        record.stalled_by = question(child);
      }
      kill(-child, SIGKILL);
      break;
    }
    if (poll(ends.data(), ends.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) break;
    for (std::size_t k = 0; k < ends.size(); ++k) {
      if (ends[k].fd < 0 || ends[k].revents == 0) continue;
      std::array<char, 4096> buffer;
      const ssize_t count = read(ends[k].fd, buffer.data(), buffer.size());
      if (count <= 0) {
        ends[k].fd = -1;
        continue;
      }
      const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
      if (k == 0) {
        record.report += text;
      } else if (record.errors.size() < most_output) {
        record.errors += text;
      }
    }
  }
  while (waitpid(child, &record.status, 0) < 0 && errno == EINTR) {
  }
  return record;
}

Outcome outcome_of(const ProcessRecord& record, int limit_s) {
  const Json report = Json::parse(record.report, nullptr, false);
  const auto with_errors = [&](const std::string& text) {
    const std::string errors = worth_showing(record.errors);
    return text + (errors.empty() ? "" : "\n" + errors);
  };
  if (!record.stalled_by.empty()) {
    return ended_as("not judged", "it did not end within " + std::to_string(limit_s) +
                                      " s: " + record.stalled_by);
  }
  if (record.timed_out) {
    return ended_as("failed", with_errors("it did not end within " + std::to_string(limit_s) +
                                          " s and was stopped. Is there a loop that never ends?"));
  }
  const bool ended_well = WIFEXITED(record.status) && report.is_object();
  if (is_judge() && !ended_well) {
    const std::string errors = worth_showing(record.errors);
    return ended_as("not judged", errors.empty() ? "the judge ended without a verdict" : errors);
  }
  if (WIFSIGNALED(record.status)) {
    const int signal = WTERMSIG(record.status);
    std::string text = "the program crashed: " + std::string(strsignal(signal));
    if (signal == SIGSEGV) {
      text += ". Did host code use a pointer to device memory, or run past the end of an array?";
    }
    return ended_as("failed", with_errors(text));
  }
  if (!report.is_object()) {
    return ended_as("failed",
                    with_errors("the program ended before the check did, with exit status " +
                                std::to_string(WEXITSTATUS(record.status))));
  }
  Outcome outcome{report.value("result", "failed"), report.value("message", ""),
                  report.value("errors found", ""), record.errors};
  if (outcome.result == "failed") {
    outcome.message = with_errors(outcome.message);
  } else if (WEXITSTATUS(record.status) == 3) {
    outcome =
        ended_as("failed", with_errors("the results are right, but the emulator's checks found "
                                       "errors when the program ended"));
  } else if (WEXITSTATUS(record.status) != 0) {
    outcome = ended_as("failed", with_errors("the program ended with exit status " +
                                             std::to_string(WEXITSTATUS(record.status))));
  }
  return outcome;
}

}  // namespace

void end_cases_with_the_program() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, end_with_case);
}

Outcome run_in_a_process(const std::string& name, const std::function<Outcome()>& run,
                         int limit_s) {
  std::array<int, 2> report{};
  std::array<int, 2> errors{};
  if (pipe(report.data()) != 0 || pipe(errors.data()) != 0) {
    return ended_as("not judged", "cannot make a pipe");
  }
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return ended_as("not judged", "cannot start a process");
  if (child == 0) {
    setpgid(0, 0);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    close(report[0]);
    close(errors[0]);
    dup2(errors[1], STDERR_FILENO);
    close(errors[1]);
    be_the_case(name, run, report[1]);
  }
  setpgid(child, child);
  running_case = child;
  close(report[1]);
  close(errors[1]);
  const ProcessRecord record = collect(child, report[0], errors[0], std::chrono::seconds(limit_s));
  running_case = 0;
  close(report[0]);
  close(errors[0]);
  return outcome_of(record, limit_s);
}

}  // namespace course::exercise::detail
