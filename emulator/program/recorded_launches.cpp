#include "program/recorded_launches.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "base/device_variables.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "base/screen.hpp"
#include "emulator/pace.h"
#include "engine/accesses/lanes_in_step.hpp"
#include "events/findings.hpp"
#include "events/program_events.hpp"
#include "observers/reports/json_report.hpp"
#include "observers/reports/sarif_report.hpp"
#include "observers/timeline/timeline.hpp"
#include "streams/order.hpp"
#include "streams/work_queue.hpp"

// Defined in programs with kernels that are not instrumented (emulator/host/launch.h).
extern "C" char emulator_built_fast __attribute__((weak));

namespace emulator {
namespace program {
namespace {

bool equal(const dim3& a, const dim3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The launches of a program for its listing. Those of one kernel with one grid and block are added
// up, so that a program that launches a thousand times needs no more memory than one that launches
// once.
class LaunchSums {
 public:
  void add(const LaunchRecord& record) {
    const std::string name = instance(record);
    for (Sum& sum : sums_) {
      LaunchRecord& total = sum.total;
      if (sum.instance != name || total.error != record.error || !equal(total.grid, record.grid) ||
          !equal(total.block, record.block)) {
        continue;
      }
      total.alike = total.alike && record.traffic == sum.first;
      total.traffic += record.traffic;
      total.milliseconds += record.milliseconds;
      ++total.launches;
      auto counters = std::make_shared<RecordedCounters>(*total.counters);
      add_counters(*counters, *record.counters);
      total.counters = std::move(counters);
      return;
    }
    sums_.push_back({name, record.traffic, record});
  }

  std::vector<LaunchRecord> totals() const {
    std::vector<LaunchRecord> result;
    for (const Sum& sum : sums_) result.push_back(sum.total);
    return result;
  }

 private:
  struct Sum {
    std::string instance;
    Traffic first;  // of the first launch
    LaunchRecord total;
  };
  std::vector<Sum> sums_;
};

struct Records {
  std::mutex mutex;  // host threads may launch at the same time
  bool on = false;
  bool list = false;
  std::vector<LaunchRecord> kept;
  Pace pace;  // of these
  LaunchSums listed;
  std::unique_ptr<Report> report;
  std::unique_ptr<SarifReport> sarif;
};

// Never destroyed: destructors of the program's static objects may still launch.
Records& records() {
  static auto& state = *new Records;
  return state;
}

void print_listing() {
  Records& state = records();
  const std::lock_guard lock(state.mutex);
  const std::vector<LaunchRecord> totals = state.listed.totals();
  if (totals.empty()) return;
  std::fputs(("\n" + listing(totals, style_of(STDOUT_FILENO))).c_str(), stdout);
  std::fflush(stdout);
}

constexpr const char* report_to = "EMULATOR_REPORT";
constexpr const char* sarif_to = "EMULATOR_SARIF";

// A variable that is set to nothing, or to 0 where it is a switch, counts as not set.
const char* setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? nullptr : value;
}

bool has_instrumented_code = false;

// A fast program has nothing to show. Better no run than one that seems to be clean.
void refuse_to_look() {
  if (has_instrumented_code || &emulator_built_fast == nullptr) return;
  for (const char* const name :
       {"EMULATOR_TRAFFIC", "EMULATOR_CHECK", "EMULATOR_LOCKSTEP", report_to, sarif_to}) {
    const char* const value = setting(name);
    if (value == nullptr) continue;
    if (name != report_to && name != sarif_to && std::string(value) == "0") continue;
    std::fprintf(stderr,
                 "emulator: error: %s=%s: this program is fast, not instrumented: emucc --look "
                 "makes one that is\n",
                 name, value);
    std::_Exit(2);
  }
}

}  // namespace

bool must_record() {
  Records& state = records();
  const std::lock_guard lock(state.mutex);
  return state.on || state.list || state.report != nullptr || details_wanted();
}

void end_sarif(int status) {
  Records& state = records();
  const std::lock_guard lock(state.mutex);
  if (state.sarif != nullptr) state.sarif->end(status);
}

void add_launch(LaunchRecord record, RecordedCounters counters) {
  for (const AccessCounters& access : counters.accesses) record.traffic += access.traffic();
  record.counters = std::make_shared<const RecordedCounters>(std::move(counters));

  Records& state = records();
  const std::lock_guard lock(state.mutex);
  if (state.report != nullptr) state.report->add(record);
  if (state.list) state.listed.add(record);
  if (state.on) state.kept.push_back(std::move(record));
}

}  // namespace program

namespace events {

using namespace program;

void instrumented_code_found() {
  has_instrumented_code = true;
}

void program_begins() {
  refuse_to_look();
  read_lockstep();
  read_order();
  read_timeline();
  Records& state = records();
  multiprocessors();
  if (device_count() > 1) note_first_variables();
  if (const char* const path = setting(report_to)) {
    state.report = std::make_unique<Report>(path);
  }
  const char* const list = setting("EMULATOR_TRAFFIC");
  if (list != nullptr && std::string(list) != "0") print_listing_at_exit();
  if (const char* const check = setting("EMULATOR_CHECK")) {
    const std::string value = check;
    if (value != "0" && value != "1") {
      std::fprintf(stderr, "emulator: error: EMULATOR_CHECK=%s: want 0 or 1\n", check);
      std::_Exit(2);  // nothing has run yet; destructors would find half a program
    }
    set_checking(value == "1");
  }
  if (const char* const path = setting(sarif_to)) {
    const char* const check = setting("EMULATOR_CHECK");
    if (check != nullptr && std::string(check) == "0") {
      std::fprintf(stderr,
                   "emulator: error: EMULATOR_SARIF=%s: it holds what the checks find, and "
                   "EMULATOR_CHECK=0 turns them off\n",
                   path);
      std::_Exit(2);
    }
    state.sarif = std::make_unique<SarifReport>(path);
    if (!checking()) set_checking(true);
  }
}

void findings_changed() {
  Records& state = records();
  const std::lock_guard lock(state.mutex);
  if (state.report != nullptr) state.report->update_findings();
  if (state.sarif != nullptr) state.sarif->update_findings();
}

}  // namespace events

void program::add_pace(const Pace& pace) {
  Records& state = records();
  const std::lock_guard lock(state.mutex);
  Pace& sum = state.pace;
  sum.copies_ahead += pace.copies_ahead;
  sum.most_loads_of_a_warp = std::max(sum.most_loads_of_a_warp, pace.most_loads_of_a_warp);
}

void set_recording(bool on) {
  program::settle();
  program::Records& state = program::records();
  const std::lock_guard lock(state.mutex);
  state.on = on;
}

bool recording() {
  program::Records& state = program::records();
  const std::lock_guard lock(state.mutex);
  return state.on;
}

const std::vector<LaunchRecord>& launches() {
  program::settle();
  return program::records().kept;
}

void clear_launches() {
  program::settle();
  program::Records& state = program::records();
  const std::lock_guard lock(state.mutex);
  state.kept.clear();
  state.pace = {};
}

Pace pace() {
  program::settle();
  program::Records& state = program::records();
  const std::lock_guard lock(state.mutex);
  return state.pace;
}

Traffic total_traffic() {
  Traffic total;
  for (const LaunchRecord& launch : launches()) total += launch.traffic;
  return total;
}

void print_listing_at_exit() {
  program::Records& state = program::records();
  const std::lock_guard lock(state.mutex);
  if (!std::exchange(state.list, true)) std::atexit(program::print_listing);
}

}  // namespace emulator
