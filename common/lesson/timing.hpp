/// @file
/// Timing work on the device, and counting its traffic where a clock would say nothing.
///
///     const course::Timing timing = TIME_EVENTS(options, y.poison(), launch(A, x, y, m, n));
///
/// On a GPU a kernel is launched many times and each launch is timed separately: a single launch
/// measures the driver's start-up, the clocks and the caches as much as the kernel. On the emulator
/// it is launched once, and its memory traffic is counted: the emulator's own time is not a GPU's.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "device.hpp"
#include "traffic.hpp"

namespace course {

/// Launches before the first timed one.
inline constexpr int warm_up_launches = 3;
/// The smallest number of timed launches, whatever is requested.
inline constexpr int least_samples = 20;

/// Memory traffic of a launch, counted by the emulator as a GPU's counters count it. A request is
/// one memory instruction of one warp; its sectors are the 32-byte pieces of memory it touches.
struct TrafficCounts {
  std::uint64_t global_load_requests = 0;
  std::uint64_t global_load_sectors = 0;
  std::uint64_t global_store_requests = 0;
  std::uint64_t global_store_sectors = 0;
  std::uint64_t shared_bank_conflicts = 0;
  std::uint64_t shared_load_instructions = 0;
  std::uint64_t shared_load_wavefronts = 0;
  std::uint64_t shared_store_wavefronts = 0;
};

/// The result of a measurement. Times are in milliseconds.
struct Timing {
  int samples = 0;
  double median_ms = 0;  ///< of the samples; on the emulator meaningless, and 0
  double p10_ms = 0;     ///< one sample in ten was faster
  double p90_ms = 0;     ///< one sample in ten was slower
  double wall_ms = 0;    ///< the emulator's own time for its one launch
  bool counted = false;  ///< whether `traffic` holds counts (library calls have none)
  TrafficCounts traffic;
};

/// The element of `sorted` below which this share of them is: 0.5 for the median.
double percentile(const std::vector<double>& sorted, double share);

/// Median and spread of the samples.
Timing summarise(std::vector<double> milliseconds);

/// A pair of CUDA events: the device records the time when it reaches them.
class EventTimer {
 public:
  EventTimer() {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;
  ~EventTimer() {
    CUDA_WARN(cudaEventDestroy(start_));
    CUDA_WARN(cudaEventDestroy(stop_));
  }

  void start() { CUDA_CHECK(cudaEventRecord(start_)); }

  /// Waits for everything launched since start(); returns the device's milliseconds for it.
  double stop() {
    CUDA_CHECK(cudaEventRecord(stop_));
    CUDA_CHECK(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

/// The host's clock. It does not wait for the device: synchronise before you read it.
class HostTimer {
 public:
  void start();
  /// Milliseconds since then.
  double stop() const;

 private:
  std::int64_t start_ns_ = 0;
};

/// Flushes the level-2 cache, by writing twice its size of other data. For measurements of small
/// problems whose data has not just been used.
class CacheFlush {
 public:
  CacheFlush() : scratch_(on_emulator ? 0 : 2 * device().l2_bytes) {}
  void operator()() { scratch_.poison(); }

 private:
  DeviceArray<unsigned char> scratch_;
};

/// Runs `before()` then `body()` repeatedly and times each body on the device; on the emulator runs
/// both once and counts. TIME_EVENTS calls this.
template <class Before, class Body>
Timing time_events(const Options& options, Before before, Body body) {
#ifdef CUDA_EMULATOR
  static_cast<void>(options);
  before();
  HostTimer timer;
  timer.start();
  const std::vector<emulator::LaunchRecord> launches = record_traffic(body);
  Timing timing;
  timing.samples = 1;
  timing.wall_ms = timer.stop();
  timing.counted = !launches.empty();
  const emulator::Traffic total = course::total(launches);
  timing.traffic = {total.global_load_requests,
                    total.global_load_sectors,
                    total.global_store_requests,
                    total.global_store_sectors,
                    total.shared_load_bank_conflicts + total.shared_store_bank_conflicts,
                    total.shared_load_instructions,
                    total.shared_load_wavefronts,
                    total.shared_store_wavefronts};
  return timing;
#else
  EventTimer timer;
  const int samples = std::max(options.repeat, least_samples);
  std::vector<double> milliseconds;
  for (int i = -warm_up_launches; i < samples; ++i) {
    before();
    timer.start();
    body();
    const double elapsed = timer.stop();
    if (i >= 0) milliseconds.push_back(elapsed);
  }
  return summarise(milliseconds);
#endif
}

}  // namespace course

/// Times the last argument on the device, after running the second, untimed, before each sample:
/// that is where outputs are poisoned (or, if also inputs, restored). Returns a course::Timing.
#define TIME_EVENTS(options, before, ...) \
  course::time_events(                    \
      options, [&] { before; }, [&] { __VA_ARGS__; })

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "timing.inl"
#endif
