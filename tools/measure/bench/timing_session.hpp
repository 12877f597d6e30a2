/// @file
/// What all timings of a run share: the watch on the clocks, the cold cache, the timers, the plan
/// of how many samples there are, and the results so far.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/alternate.hpp"
#include "bench/cold_cache.hpp"
#include "clocks/nvml.hpp"
#include "measure_options.hpp"
#include "results/record.hpp"
#include "verify.hpp"

namespace course::measure {

class TimingSession {
 public:
  TimingSession(const MeasureOptions& options, ClockWatch& watch);

  /// False, with a line that says so, if a shape needs more memory than there is.
  static bool fits(const std::string& shape, double host_bytes, double device_bytes);

  /// Small problems are measured both ways, for others there is no hot. What comes over the link
  /// comes from the host's memory, every time.
  static std::vector<Cache> caches(double bytes, const std::string& bound = "");

  /// measure() adds the kernel's name.
  static void require_right(const char* when, const Verdict& verdict);

  /// Measures one kernel, says on stderr what came of it, and keeps it.
  /// @throws Error with kernel and shape before what `timing` threw: an error of CUDA's does not
  ///     say in which kernel it happened
  void measure(KernelRecord record, const std::function<void(KernelRecord&)>& timing);

  /// A launch that reads its inputs and writes `result`, which is poisoned before each. For a hot
  /// cache it was launched a moment before; for a cold one the cache holds something else.
  TimedLaunch timed(DeviceArray<float>& result, Cache cache, const std::function<void()>& launch);

  /// Times two against each other, and watches the clocks meanwhile.
  Alternation alternate(const TimedLaunch& first, const TimedLaunch& second,
                        const SamplePlan& plan);
  Alternation alternate(const TimedLaunch& first, const TimedLaunch& second) {
    return alternate(first, second, plan_);
  }
  /// The same for one alone.
  Timing alone(const TimedLaunch& launch);
  /// What was seen of the clocks while the last timing ran.
  ClockSummary clocks() { return watch_.end(); }

  /// As many samples as are asked for, or as fit in two seconds, but 20: the slowest products take
  /// a quarter of a second each.
  SamplePlan product_plan(const std::function<void()>& launch);

  /// Fills the cache as suits what is measured against this ceiling.
  void make_cold(const std::string& bound);

  ColdCache& cold() { return cold_; }
  ClockWatch& watch() { return watch_; }
  Measurement& result() { return result_; }

 private:
  /// What the timing loops call when they begin in earnest.
  std::function<void()> begin_watch();
  /// What tells them the time.
  std::function<double()> elapsed() const;

  ClockWatch& watch_;
  SamplePlan plan_;
  ColdCache cold_;
  EventTimer events_;
  HostTimer host_;
  Measurement result_;
};

}  // namespace course::measure
