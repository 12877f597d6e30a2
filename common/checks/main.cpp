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

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/case_process.hpp"
#include "checks/exercise.hpp"
#include "checks/shown_errors.hpp"
#include "console/terminal.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/findings.h"
#include "emulator/strict_checks.h"
#endif

namespace {

namespace exercise = course::exercise;
using Json = nlohmann::ordered_json;
using exercise::detail::Outcome;

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
    // FAIL() throws, and with what it throws comes here; WARN and MESSAGE are not failures.
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

Outcome run_case(const std::string& name) {
  case_message.clear();
  case_failed = false;
  exercise::detail::case_remarks() = {};
#ifdef CUDA_EMULATOR
  emulator::set_checking(true);
  emulator::forbid_split_updates();
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
  if (case_failed) return {"failed", case_message, "", ""};
  return {remarks.skipped ? "skipped" : "passed", remarks.text, "", ""};
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

/// A case that is to be safe has passed, and in another one, with other sizes, errors were found.
Outcome unsafe_elsewhere(const std::string& name, const Outcome& other) {
  return {"failed",
          "nothing was found here, but in the case \"" + name + "\" the emulator's checks found " +
              other.errors_found + ", described below. What each kind means: docs/finding-bugs.md" +
              "\n" + exercise::detail::worth_showing(other.output),
          "", ""};
}

/// A case has passed with errors, and those that are to be safe have passed without, as they use
/// other sizes.
Outcome unsafe_here(const Outcome& outcome) {
  return {"failed",
          "the result is right, but the emulator's checks found " + outcome.errors_found +
              ", described below, at a size that no safe case has. What each kind means: "
              "docs/finding-bugs.md\n" +
              exercise::detail::worth_showing(outcome.output),
          "", ""};
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

  exercise::detail::end_cases_with_the_program();
  const char* const results = std::getenv("COURSE_CHECK_RESULTS");
  std::size_t failed = 0;
  std::size_t skipped = 0;
  std::optional<std::pair<std::string, Outcome>> unsafe;  // the first that passed with errors
  bool is_safe = false;                                   // a case that is to be safe has passed
  const std::vector<std::string> names = case_names;
  for (const std::string& name : names) {
    append(results, {{"case", name}, {"result", "running"}});
    Outcome outcome = in_process ? run_case(name)
                                 : exercise::detail::run_in_a_process(
                                       name, [&] { return run_case(name); }, time_limit());
    const bool is_safety = name.starts_with("safe");
    if (is_safety && outcome.result == "passed" && unsafe) {
      outcome = unsafe_elsewhere(unsafe->first, unsafe->second);
    } else if (outcome.result == "passed" && !outcome.errors_found.empty()) {
      if (is_safe && name.starts_with("efficient")) {
        outcome = unsafe_here(outcome);
      } else if (!unsafe) {
        unsafe = {name, outcome};
      }
    }
    is_safe = is_safe || (is_safety && outcome.result == "passed");
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
