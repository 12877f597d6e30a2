#include "exercise/exercise.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include "timing.hpp"
#include "traffic.hpp"
#include "verify.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/findings.h"
#endif

namespace course::exercise {
namespace detail {

#ifdef CUDA_EMULATOR
struct Launches {
  std::vector<emulator::LaunchRecord> records;
};
#else
struct Launches {};
#endif

namespace {

struct Exercise {
  std::string name;
  std::string file;
};

Exercise& exercise() {
  static Exercise instance;
  return instance;
}

bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

}  // namespace

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

#ifdef CUDA_EMULATOR

/// 12345678 as 12 345 678.
std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t k = text.size(); k > 3; k -= 3) text.insert(k - 3, 1, ' ');
  return text;
}

/// With one digit after the point.
std::string tenths(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string exercise_id() {
  return detail::exercise_name().substr(0, detail::exercise_name().find('_'));
}

std::uint64_t value_of(const emulator::Traffic& traffic, Counter counter) {
  switch (counter) {
    case Counter::global_load_requests:
      return traffic.global_load_requests;
    case Counter::global_load_sectors:
      return traffic.global_load_sectors;
    case Counter::global_store_requests:
      return traffic.global_store_requests;
    case Counter::global_store_sectors:
      return traffic.global_store_sectors;
    case Counter::global_atomic_requests:
      return traffic.global_atomic_requests;
    case Counter::shared_load_instructions:
      return traffic.shared_load_instructions;
    case Counter::shared_store_instructions:
      return traffic.shared_store_instructions;
    case Counter::shared_bank_conflicts:
      return traffic.shared_load_bank_conflicts + traffic.shared_store_bank_conflicts;
    case Counter::barriers:
      return traffic.barriers;
  }
  return 0;
}

std::string source_line(const std::string& path, int wanted) {
  std::ifstream file(path);
  std::string line;
  for (int k = 0; k < wanted; ++k) {
    if (!std::getline(file, line)) return "";
  }
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? "" : line.substr(first);
}

/// A line of the student's, and what it asked for in all launches.
struct Place {
  std::uint64_t value = 0;   ///< of the counter in question
  std::uint64_t excess = 0;  ///< of these, the sectors beyond what would hold what was asked for
  emulator::Traffic traffic;
  std::uint64_t in_one_launch = 0;                         ///< the value in the launch ...
  std::vector<emulator::InstructionTraffic> instructions;  ///< ... whose instructions these are
};

std::uint64_t excess_of(const emulator::Traffic& traffic, Counter counter) {
  if (counter == Counter::global_load_sectors) {
    return traffic.global_load_sectors - traffic.global_load_ideal_sectors;
  }
  if (counter == Counter::global_store_sectors) {
    return traffic.global_store_sectors - traffic.global_store_ideal_sectors;
  }
  return 0;
}

/// "--instruction 2", where the line has several: the option by which `course picture` finds the
/// dearest one.
std::string picture_options(const Place& place, Counter counter) {
  const std::vector<emulator::InstructionTraffic>& all = place.instructions;
  if (all.size() < 2) return "";
  const auto cost = [&](const emulator::InstructionTraffic& one) -> std::uint64_t {
    using Kind = emulator::InstructionKind;
    const bool is_shared = one.kind == Kind::shared_load || one.kind == Kind::shared_store;
    switch (counter) {
      case Counter::global_load_requests:
        return one.kind == Kind::global_load ? one.requests : 0;
      case Counter::global_load_sectors:
        return one.kind == Kind::global_load ? one.sectors : 0;
      case Counter::global_store_requests:
        return one.kind == Kind::global_store ? one.requests : 0;
      case Counter::global_store_sectors:
        return one.kind == Kind::global_store ? one.sectors : 0;
      case Counter::global_atomic_requests:
        return one.kind == Kind::global_atomic ? one.requests : 0;
      case Counter::shared_load_instructions:
        return one.kind == Kind::shared_load ? one.requests : 0;
      case Counter::shared_store_instructions:
        return one.kind == Kind::shared_store ? one.requests : 0;
      case Counter::shared_bank_conflicts:
        return is_shared ? one.bank_conflicts : 0;
      case Counter::barriers:
        break;
    }
    return 0;
  };
  const auto most = std::max_element(
      all.begin(), all.end(), [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  return " --instruction " + std::to_string(most - all.begin() + 1);
}

/// "640 requests of 32.0 sectors each; 4.0 would hold what they ask for".
std::string sectors_in_words(std::uint64_t requests, std::uint64_t sectors, std::uint64_t ideal) {
  if (requests == 0) return "";
  const auto mean = [&](std::uint64_t count) {
    return tenths(static_cast<double>(count) / static_cast<double>(requests));
  };
  return ": " + grouped(requests) + " requests of " + mean(sectors) + " sectors each; " +
         mean(ideal) + " would hold what they ask for";
}

/// Where most of what a counter counts comes from, or most of what is too much; empty if lines are
/// not known.
std::string dearest_line(const Run& run, Counter counter) {
  std::map<std::pair<std::string, int>, Place> places;
  for (const emulator::LaunchRecord& launch : run.launches().records) {
    for (const emulator::LineTraffic& line : emulator::lines(launch)) {
      Place& place = places[{line.file, line.line}];
      const std::uint64_t value = value_of(line.traffic, counter);
      place.value += value;
      place.excess += excess_of(line.traffic, counter);
      place.traffic += line.traffic;
      if (value >= place.in_one_launch) {
        place.in_one_launch = value;
        place.instructions = line.instructions;
      }
    }
  }
  const auto most =
      std::max_element(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.excess, a.second.value) <
               std::pair(b.second.excess, b.second.value);
      });
  if (most == places.end() || most->second.value == 0 || most->first.second == 0) return "";
  const auto& [path, number] = most->first;
  const Place& place = most->second;
  const emulator::Traffic& traffic = place.traffic;
  std::string text = "the line that costs most: " + path.substr(path.find_last_of('/') + 1) + ":" +
                     std::to_string(number) + "   " + source_line(path, number) + "\n  " +
                     grouped(place.value) + " " + in_words(counter);
  if (counter == Counter::global_load_sectors) {
    text += sectors_in_words(traffic.global_load_requests, traffic.global_load_sectors,
                             traffic.global_load_ideal_sectors);
  }
  if (counter == Counter::global_store_sectors) {
    text += sectors_in_words(traffic.global_store_requests, traffic.global_store_sectors,
                             traffic.global_store_ideal_sectors);
  }
  if (counter == Counter::barriers) return text;
  return text + "\n  draw it: ./course picture " + exercise_id() + " --line " +
         std::to_string(number) + picture_options(place, counter);
}

#endif

}  // namespace

const char* in_words(Counter counter) {
  switch (counter) {
    case Counter::global_load_requests:
      return "load requests to global memory";
    case Counter::global_load_sectors:
      return "sectors loaded from global memory";
    case Counter::global_store_requests:
      return "store requests to global memory";
    case Counter::global_store_sectors:
      return "sectors stored to global memory";
    case Counter::global_atomic_requests:
      return "atomic requests to global memory";
    case Counter::shared_load_instructions:
      return "load instructions on shared memory";
    case Counter::shared_store_instructions:
      return "store instructions on shared memory";
    case Counter::shared_bank_conflicts:
      return "bank conflicts in shared memory";
    case Counter::barriers:
      return "arrivals of a warp at a barrier";
  }
  return "?";
}

#ifdef CUDA_EMULATOR

std::uint64_t Run::count(Counter counter) const {
  return value_of(course::total(launches_->records), counter);
}

Run run(const std::function<void()>& work, Kernels kernels) {
  auto launches = std::make_shared<detail::Launches>();
  launches->records = guarded([&] { return record_traffic(work); });
  if (launches->records.empty() && kernels == Kernels::expected) {
    fail("no kernel was launched: the result has to come from the device");
  }
  return Run(std::move(launches));
}

void expect_no_findings() {
  std::size_t errors = 0;
  std::string kinds;
  for (const emulator::Finding& finding : emulator::findings()) {
    if (finding.severity != emulator::Severity::error) continue;
    ++errors;
    if (kinds.find(finding.kind) == std::string::npos) {
      kinds += (kinds.empty() ? "" : ", ") + finding.kind;
    }
  }
  if (errors == 0) return;
  fail("the emulator's checks found " + std::to_string(errors) +
       (errors == 1 ? " error (" : " errors (") + kinds +
       "), described below. What each kind means: docs/finding-bugs.md");
}

void expect_at_most(const Run& run, const Limit& limit) {
  const std::uint64_t counted = run.count(limit.counter);
  const std::string what = in_words(limit.counter);
  if (detail::is_set("COURSE_CHECK_MODEL") && counted != limit.model) {
    fail(what + ": the check says that the model solution needs " + grouped(limit.model) +
         ", and " + grouped(counted) + " were counted");
  }
  if (counted <= limit.limit) return;
  std::string message = what + ": " + grouped(counted) + ", and at most " + grouped(limit.limit) +
                        " pass (the model solution: " + grouped(limit.model);
  if (limit.naive != 0) message += ", the naive version: " + grouped(limit.naive);
  message += ")\n" + limit.why;
  const std::string line = dearest_line(run, limit.counter);
  if (!line.empty()) message += "\n" + line;
  fail(message + "\nread again: " + limit.read);
}

void expect_faster(const std::function<void()>&, const std::function<void()>&, double,
                   const std::string&) {}

#else

std::uint64_t Run::count(Counter) const {
  return 0;
}

Run run(const std::function<void()>& work, Kernels) {
  guarded([&] {
    work();
    CUDA_CHECK(cudaDeviceSynchronize());
  });
  return Run(std::make_shared<detail::Launches>());
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

void expect_exact(const std::vector<float>& got, const std::vector<double>& expected,
                  std::size_t rows, std::size_t cols, const std::string& where) {
  if (got.size() != expected.size() || got.size() != rows * cols) {
    fail("with " + where + ": the result has " + std::to_string(got.size()) +
         " elements instead of " + std::to_string(expected.size()));
  }
  const Verdict verdict = verify_exact(got.data(), expected.data(), rows, cols);
  if (!verdict.passed) fail("with " + where + ":\n" + verdict.message);
}

void expect_intact(bool intact, const std::string& name, const std::string& where) {
  if (!intact) fail("with " + where + ": memory beside " + name + " was written");
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
