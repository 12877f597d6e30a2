#include "checks/exercise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "checks/costs.hpp"
#include "checks/shown_errors.hpp"
#include "timing.hpp"
#include "traffic.hpp"
#include "verify.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/findings.h"
#include "emulator/host_copies.h"
#include "emulator/order.h"
#include "emulator/pace.h"
#endif

namespace course::exercise {
namespace detail {

namespace {

struct Exercise {
  std::string name;
  std::string file;
};

Exercise& exercise() {
  static Exercise instance;
  return instance;
}

}  // namespace

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

bool set_exercise(const char* name, const char* file) {
  exercise() = {name, "exercises/" + std::string(name) + "/" + file};
  if (is_set("COURSE_CHECK_SOURCE")) exercise().file = std::getenv("COURSE_CHECK_SOURCE");
  return true;
}

const std::string& exercise_name() {
  return exercise().name;
}

const std::string& exercise_file() {
  return exercise().file;
}

std::function<std::string()>& at_case_end() {
  static std::function<std::string()> action;
  return action;
}

std::function<std::string(pid_t)>& stall_cause() {
  static std::function<std::string(pid_t)> question;
  return question;
}

CaseRemarks& case_remarks() {
  static CaseRemarks remarks;
  return remarks;
}

}  // namespace detail

namespace {

[[noreturn]] void fail(const std::string& message) {
  FAIL(message);
  std::abort();  // FAIL() throws; the compiler does not know
}

/// Calls `body`, and says what an error of CUDA's means that comes out of it.
template <class Body>
auto guarded(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    const std::string text = error.what();
    // Waiting is what run() does; what failed is what was waited for.
    if (!text.starts_with("cudaDeviceSynchronize()")) fail(text);
    fail("a kernel failed while it ran: " + text.substr(text.find("cudaError")));
  }
}

}  // namespace

#ifdef CUDA_EMULATOR

namespace {

/// What is wrong if none of the launches can have computed anything; empty if one can.
std::string problem_with_launches(const std::vector<emulator::LaunchRecord>& launches) {
  // What functions of the API copy and set is counted as well, as launches without a grid.
  const auto is_kernel = [](const emulator::LaunchRecord& launch) { return launch.grid.x != 0; };
  const auto stores = [&](const emulator::LaunchRecord& launch) {
    const emulator::Traffic& traffic = launch.traffic;
    return is_kernel(launch) &&
           (traffic.global_store_requests != 0 || traffic.global_atomic_requests != 0 ||
            traffic.bulk_store_copies != 0 || !launch.error.empty());
  };
  if (std::none_of(launches.begin(), launches.end(), is_kernel)) {
    return "no kernel was launched, so no kernel computed the result";
  }
  if (std::any_of(launches.begin(), launches.end(), stores)) return "";
  return "no kernel that was launched stored anything, so no kernel computed the result";
}

/// Whether the emulator's checks have found an error, of one kind or of any.
bool has_errors(const std::string& kind = "") {
  const std::vector<emulator::Finding> all = emulator::findings();
  return std::any_of(all.begin(), all.end(), [&](const emulator::Finding& finding) {
    return finding.severity == emulator::Severity::error && (kind.empty() || finding.kind == kind);
  });
}

}  // namespace

std::uint64_t Run::count(Counter counter) const {
  return detail::value_of(course::total(launches_->records), counter);
}

Run run(const std::function<void()>& work, Kernels kernels, const std::string& where) {
  auto launches = std::make_shared<detail::Launches>();
  const auto work_and_look = [&] {
    work();
    CUDA_CHECK(cudaDeviceSynchronize());
    launches->pace = emulator::pace();  // which is gone with the recorded launches
  };
  launches->records = guarded([&] { return record_traffic(work_and_look); });
  if (kernels == Kernels::in_a_library &&
      std::ranges::any_of(launches->records, [](const auto& one) { return one.grid.x != 0; })) {
    fail((where.empty() ? "" : "with " + where + ", ") +
         "a kernel of your own was launched, and here the library is to do the work");
  }
  if (kernels == Kernels::expected) {
    const std::string problem = problem_with_launches(launches->records);
    if (!problem.empty()) fail((where.empty() ? "" : "with " + where + ", ") + problem);
  }
  if (has_errors("host-pointer")) {
    fail("a kernel used memory of the host, described below. A GPU does not reach it");
  }
  return Run(std::move(launches));
}

namespace {

/// Streams work in that order while it lives.
class OrderScope {
 public:
  explicit OrderScope(const std::string& order) { emulator::set_order(order); }
  ~OrderScope() { emulator::set_order(before_); }
  OrderScope(const OrderScope&) = delete;
  OrderScope& operator=(const OrderScope&) = delete;

 private:
  std::string before_ = emulator::order();
};

}  // namespace

void in_every_order(const std::function<void(const std::string& order)>& work) {
  for (const char* const order : {"issue", "late", "1", "2", "3", "4"}) {
    const OrderScope in_order(order);
    work(std::string("EMULATOR_ORDER=") + order);
  }
}

Copies count_copies(const std::function<void()>& work) {
  // As late as may be a copy is in flight until somebody waits for it.
  const OrderScope in_order("late");
  emulator::count_host_copies(true);
  run(work, Kernels::if_needed);
  const emulator::HostCopies counted = emulator::host_copies();
  emulator::count_host_copies(false);
  return {counted.pinned, counted.pageable, counted.pinned_bytes, counted.most_on_their_way};
}

void expect_no_findings() {
  const std::string errors = detail::errors_found();
  if (errors.empty()) return;
  fail("the emulator's checks found " + errors +
       ", described below. What each kind means: docs/finding-bugs.md");
}

void expect_at_most(const Run& run, const Limit& limit) {
  if (has_errors("uninitialised")) {
    fail(
        "a kernel reads unwritten memory, described below: what it should have loaded was "
        "not counted");
  }
  const bool is_of_atomics = limit.counter == Counter::global_atomic_requests ||
                             limit.counter == Counter::global_atomic_sectors;
  if (is_of_atomics && has_errors("race")) {
    fail(
        "threads race, described below: what should have been an atomic operation was not counted "
        "as one");
  }
  const std::uint64_t counted = run.count(limit.counter);
  const std::string what = in_words(limit.counter);
  if (detail::is_set("COURSE_CHECK_MODEL") && counted != limit.model) {
    fail(what + ": the check says that the model solution needs " + detail::grouped(limit.model) +
         ", and " + detail::grouped(counted) + " were counted");
  }
  if (counted <= limit.limit) return;
  std::string message = what + ": " + detail::grouped(counted) + ", and at most " +
                        detail::grouped(limit.limit) +
                        " pass (the model solution: " + detail::grouped(limit.model);
  if (limit.naive != 0) message += ", the naive version: " + detail::grouped(limit.naive);
  message += ")\n" + limit.why;
  const std::string line = detail::dearest_line(run, limit.counter);
  if (!line.empty()) message += "\n" + line;
  fail(message + "\nread again: " + limit.read);
}

void expect_faster(const std::function<void()>&, const std::function<void()>&, double,
                   const std::string&) {}

#else

namespace {

bool has_errors() {
  return false;
}

}  // namespace

std::uint64_t Run::count(Counter) const {
  return 0;
}

Run run(const std::function<void()>& work, Kernels, const std::string&) {
  guarded([&] {
    work();
    CUDA_CHECK(cudaDeviceSynchronize());
  });
  return Run(std::make_shared<detail::Launches>());
}

void in_every_order(const std::function<void(const std::string& order)>& work) {
  work("on a GPU");
}

Copies count_copies(const std::function<void()>& work) {
  run(work);
  return {};
}

void expect_no_findings() {}

void expect_at_most(const Run&, const Limit&) {}

void expect_faster(const std::function<void()>& naive, const std::function<void()>& yours,
                   double least, const std::string& read) {
  constexpr int samples = 31;
  EventTimer timer;
  std::vector<double> ratios;
  std::vector<double> naive_ms;
  std::vector<double> your_ms;
  for (int k = -warm_up_launches; k < samples; ++k) {
    timer.start();
    naive();
    const double a = timer.stop();
    timer.start();
    yours();
    const double b = timer.stop();
    if (k < 0) continue;
    naive_ms.push_back(a);
    your_ms.push_back(b);
    ratios.push_back(a / b);
  }
  const Timing theirs = summarise(naive_ms);
  const Timing mine = summarise(your_ms);
  const Timing ratio = summarise(ratios);
  char text[400];
  std::snprintf(text, sizeof text,
                "%.2f times as fast as the naive version on this GPU, measured in turn in one run "
                "(median of %d; one in ten below %.2f, one in ten above %.2f): %.4f ms, naive %.4f "
                "ms. At least %.2f is asked.",
                ratio.median_ms, samples, ratio.p10_ms, ratio.p90_ms, mine.median_ms,
                theirs.median_ms, least);
  if (ratio.median_ms < least) fail(std::string(text) + "\nread again: " + read);
  note(text);
}

#endif

std::string missing_wait(const std::string& where) {
  const std::size_t order = where.find("EMULATOR_ORDER=");
  if (order == std::string::npos || where.find("=issue", order) != std::string::npos) return "";
  return "in the order of issue it is right: so a wait is missing, or is where it does not help";
}

namespace {

/// The cause of a result that is just what one of the mistakes brings; empty if none is.
std::string cause_among(const std::vector<Mistake>& mistakes, const std::vector<float>& got,
                        const std::vector<double>& expected) {
  for (const Mistake& mistake : mistakes) {
    if (mistake.result != expected &&
        std::equal(got.begin(), got.end(), mistake.result.begin(), mistake.result.end(),
                   [](float value, double wrong) {
                     return double{value} == wrong || (std::isnan(value) && std::isnan(wrong));
                   })) {
      return mistake.cause;
    }
  }
  return "";
}

}  // namespace

void expect_exact(const std::vector<float>& got, const std::vector<double>& expected,
                  std::size_t rows, std::size_t cols, const std::string& where,
                  const std::vector<Mistake>& mistakes) {
  if (got.size() != expected.size() || got.size() != rows * cols) {
    fail("with " + where + ": the result has " + std::to_string(got.size()) +
         " elements instead of " + std::to_string(expected.size()));
  }
  const Verdict verdict = verify_exact(got.data(), expected.data(), rows, cols);
  if (verdict.passed) return;
  std::string message = verdict.message;
  const auto replace_cause = [&](const std::string& cause) {
    message = message.substr(0, message.find("\nlikely cause:")) + cause;
  };
  // Exact data stays far below. In a student's file g++ fills variables that are given no value
  // with such numbers (-ftrivial-auto-var-init), so that they show.
  if (std::any_of(got.begin(), got.end(), [](float value) { return std::fabs(value) > 1e30F; })) {
    replace_cause(
        "\nlikely cause: a variable of the kernel was never given a value. Was the sum set to 0 "
        "before anything was added to it?");
  } else if (const std::string cause = cause_among(mistakes, got, expected); !cause.empty()) {
    replace_cause("\nlikely cause: " + cause);
  } else if (const std::string wait = missing_wait(where); !wait.empty()) {
    replace_cause("\n" + wait);
  } else if (has_errors()) {
    replace_cause("");  // what was found, below, is more than a guess
  }
  fail("with " + where + ":\n" + message);
}

void expect_intact(bool intact, const std::string& name, const std::string& where) {
  if (!intact) fail("with " + where + ": memory outside " + name + " was written");
}

bool expect_warnings(const std::string& kind) {
  return detail::expected_warnings().insert(kind).second;
}

void skip(const std::string& reason) {
  detail::case_remarks().skipped = true;
  note(reason);
}

void note(const std::string& text) {
  std::string& all = detail::case_remarks().text;
  all += (all.empty() ? "" : "\n") + text;
}

}  // namespace course::exercise
