// The main function of an exercise's checks.
//
// Each case runs in a process of its own, so that one that crashes, hangs or leaves the device in a
// bad state says nothing about the others. What a case has to tell comes back through a pipe; what
// it writes to stderr, the findings of the emulator among it, is shown below its message.
//
//     check                              all cases
//     check --test-case='correct: …'     those that the filter of doctest lets through
//     check --list-test-cases            their names
//     check --in-process …               without the processes, for those who want to look inside

#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS  // a crash ends the case's process, and its parent tells
#include <doctest/doctest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "checks/exercise.hpp"
#include "checks/shown_errors.hpp"
#include "console/terminal.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/findings.h"
#endif

namespace {

namespace exercise = course::exercise;
using Json = nlohmann::ordered_json;

constexpr int status_skipped = 77;

// ------------------------------------------------------------------------------------------------
// Within a case: doctest, with a reporter that only collects.

std::vector<std::string> case_names;
std::string case_message;
bool case_failed = false;

void add_message(const std::string& text) {
  case_failed = true;
  case_message += (case_message.empty() ? "" : "\n") + text;
}

/// Collects the names of the cases, and what the failures of one have to say.
class Collector : public doctest::IReporter {
 public:
  explicit Collector(const doctest::ContextOptions&) {}

  void report_query(const doctest::QueryData& query) override {
    for (unsigned k = 0; k < query.num_data; ++k) case_names.emplace_back(query.data[k]->m_name);
  }
  void test_case_exception(const doctest::TestCaseException& exception) override {
    add_message(exception.error_string.c_str());
  }
  void log_message(const doctest::MessageData& message) override {
    // FAIL() throws, and with what it throws comes here; WARN and MESSAGE are no failures.
    if ((message.m_severity & doctest::assertType::is_warn) != 0) return;
    add_message(message.m_string.c_str() + contexts());
  }
  void log_assert(const doctest::AssertData& data) override {
    if (!data.m_failed) return;
    std::string text = std::string("not true: ") + data.m_expr;
    if (data.m_decomp.size() != 0) text += std::string("   that is: ") + data.m_decomp.c_str();
    if (data.m_threw) text += std::string("   it threw: ") + data.m_exception.c_str();
    add_message(text + contexts());
  }
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  static std::string contexts() {
    std::string text;
    for (int k = 0; k < get_num_active_contexts(); ++k) {
      std::ostringstream stream;
      get_active_contexts()[k]->stringify(&stream);
      text += "\n  with " + stream.str();
    }
    return text;
  }
};

REGISTER_REPORTER("collector", 1, Collector);

/// What became of a case.
struct Outcome {
  std::string result;  ///< passed, failed or skipped; or not judged, by no fault of the code's
  std::string message;
};

Outcome run_case(const std::string& name) {
  case_message.clear();
  case_failed = false;
  exercise::detail::case_remarks() = {};
#ifdef CUDA_EMULATOR
  emulator::set_checking(true);
#endif
  doctest::Context context;
  context.clearFilters();
  context.addFilter("reporters", "collector");
  // In a filter these two mean something.
  std::string pattern;
  for (const char c : name)
    pattern += c == ',' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  context.addFilter("test-case", pattern.c_str());
  context.setOption("no-intro", true);
  context.setOption("no-run", false);
  context.run();
  const exercise::detail::CaseRemarks& remarks = exercise::detail::case_remarks();
  if (case_failed) return {"failed", case_message};
  return {remarks.skipped ? "skipped" : "passed", remarks.text};
}

// ------------------------------------------------------------------------------------------------
// Around a case: its process.

volatile std::sig_atomic_t running_case = 0;

void end_with_case(int signal) {
  if (running_case != 0) kill(-static_cast<pid_t>(running_case), SIGKILL);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// The case's process: tells its outcome and ends. A case that is to be safe ends as a program
/// does, whereupon the emulator looks for what was never freed, and says so by the exit status 3.
[[noreturn]] void be_the_case(const std::string& name, int report) {
  Outcome outcome = run_case(name);
  if (const auto& at_end = exercise::detail::at_case_end();
      at_end != nullptr && outcome.result == "passed" && name.starts_with("safe")) {
    if (const std::string wrong = at_end(); !wrong.empty()) outcome = {"failed", wrong};
  }
  std::cout.flush();
  std::fflush(nullptr);
  const std::string text = Json{{"result", outcome.result}, {"message", outcome.message}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
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
      if (const auto& question = exercise::detail::stall_cause()) {
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
      } else if (record.errors.size() < exercise::detail::most_output) {
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
    const std::string errors = exercise::detail::worth_showing(record.errors);
    return text + (errors.empty() ? "" : "\n" + errors);
  };
  if (!record.stalled_by.empty()) {
    return {"not judged",
            "it did not end within " + std::to_string(limit_s) + " s: " + record.stalled_by};
  }
  if (record.timed_out) {
    return {"failed", with_errors("it did not end within " + std::to_string(limit_s) +
                                  " s and was stopped. Is there a loop that never ends?")};
  }
  const bool ended_well = WIFEXITED(record.status) && report.is_object();
  if (exercise::detail::is_judge() && !ended_well) {
    const std::string errors = exercise::detail::worth_showing(record.errors);
    return {"not judged", errors.empty() ? "the judge ended without a verdict" : errors};
  }
  if (WIFSIGNALED(record.status)) {
    const int signal = WTERMSIG(record.status);
    std::string text = "the program crashed: " + std::string(strsignal(signal));
    if (signal == SIGSEGV) {
      text += ". Did host code use a pointer to device memory, or run past the end of an array?";
    }
    return {"failed", with_errors(text)};
  }
  if (!report.is_object()) {
    return {"failed", with_errors("the program ended before the check did, with exit status " +
                                  std::to_string(WEXITSTATUS(record.status)))};
  }
  Outcome outcome{report.value("result", "failed"), report.value("message", "")};
  if (outcome.result == "failed") {
    outcome.message = with_errors(outcome.message);
  } else if (WEXITSTATUS(record.status) == 3) {
    outcome = {"failed", with_errors("the results are right, but the emulator's checks found "
                                     "errors when the program ended")};
  } else if (WEXITSTATUS(record.status) != 0) {
    outcome = {"failed", with_errors("the program ended with exit status " +
                                     std::to_string(WEXITSTATUS(record.status)))};
  }
  return outcome;
}

Outcome run_in_a_process(const std::string& name, int limit_s) {
  std::array<int, 2> report{};
  std::array<int, 2> errors{};
  if (pipe(report.data()) != 0 || pipe(errors.data()) != 0) {
    return {"not judged", "cannot make a pipe"};
  }
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return {"not judged", "cannot start a process"};
  if (child == 0) {
    setpgid(0, 0);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    close(report[0]);
    close(errors[0]);
    dup2(errors[1], STDERR_FILENO);
    close(errors[1]);
    be_the_case(name, report[1]);
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

// ------------------------------------------------------------------------------------------------
// All cases.

void tell(const std::string& name, const Outcome& outcome) {
  const bool told = outcome.result == "passed" || outcome.result == "skipped";
  std::cout << std::left << std::setw(9) << (told ? outcome.result : "FAILED") << name << '\n';
  std::istringstream lines(outcome.message);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) line.insert(0, 4, ' ');
    std::cout << course::wrapped(line, course::line_width(), 4) << '\n';
  }
  std::cout << std::flush;
}

void append(const char* file, const Json& line) {
  if (file == nullptr) return;
  std::ofstream stream(file, std::ios::app);
  stream << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

/// Where to go on, for those who called ctest. The course program has more to say and says it
/// itself.
void tell_what_next() {
  const std::string& file = exercise::detail::exercise_file();
  const std::string& name = exercise::detail::exercise_name();
  const std::string id = name.substr(0, name.find('_'));
  std::ifstream source(file);
  std::string line;
  int number = 0;
  int todo = 0;
  while (todo == 0 && std::getline(source, line)) {
    ++number;
    if (line.find("// TODO (") != std::string::npos) todo = number;
  }
  std::cout << "\nWhat next:\n";
  if (todo != 0) std::cout << "  " << file << ":" << todo << " still says TODO: write there\n";
  std::cout << "  what is asked:  exercises/" << name << "/README.md\n"
            << "  a hint:         ./course hint " << id << '\n'
            << "  check again:    ./course check " << id << "   (or this test)\n"
            << std::flush;
}

/// The time limit of a case in seconds; COURSE_CHECK_TIMEOUT sets another.
int time_limit() {
  const char* const value = std::getenv("COURSE_CHECK_TIMEOUT");
  const int seconds = value == nullptr ? 0 : std::atoi(value);
  return seconds > 0 ? seconds : 20;
}

int check(int argc, char** argv) {
  bool in_process = false;
  bool list = false;
  std::vector<const char*> arguments;
  for (int k = 0; k < argc; ++k) {
    const std::string_view word = argv[k];
    in_process = in_process || word == "--in-process";
    list = list || word == "--list-test-cases";
    if (word != "--in-process" && word != "--list-test-cases") arguments.push_back(argv[k]);
  }
  arguments.push_back("--list-test-cases");
  doctest::Context query(static_cast<int>(arguments.size()), arguments.data());
  query.addFilter("reporters", "collector");
  query.run();
  if (list) {
    for (const std::string& name : case_names) std::cout << name << '\n';
    return 0;
  }
  if (case_names.empty()) {
    std::cerr << "no such case: --list-test-cases lists them\n";
    return 2;
  }

  std::signal(SIGINT, end_with_case);
  std::signal(SIGTERM, end_with_case);
  std::signal(SIGHUP, end_with_case);
  const char* const results = std::getenv("COURSE_CHECK_RESULTS");
  std::size_t failed = 0;
  std::size_t skipped = 0;
  const std::vector<std::string> names = case_names;
  for (const std::string& name : names) {
    append(results, {{"case", name}, {"result", "running"}});
    const Outcome outcome = in_process ? run_case(name) : run_in_a_process(name, time_limit());
    append(results, {{"case", name}, {"result", outcome.result}, {"message", outcome.message}});
    tell(name, outcome);
    failed += outcome.result == "failed" || outcome.result == "not judged" ? 1 : 0;
    skipped += outcome.result == "skipped" ? 1 : 0;
  }
  if (failed != 0 && results == nullptr) tell_what_next();
#ifdef CUDA_EMULATOR
  emulator::clear_findings();  // they have been told, and must not change the exit status
#endif
  if (failed != 0) return 1;
  return skipped == names.size() ? status_skipped : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = check(argc, argv);
    if (std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    std::fprintf(stderr, "check: cannot write to standard output: it is full, or closed\n");
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check: %s\n", error.what());
    return 1;
  }
}
