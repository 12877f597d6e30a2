/// @file
/// Chapter 30: timing work of all devices, by turns.
#pragma once

#include <string>

#include "devices.hpp"

namespace gpus {

/// Work that begins in the stream of device 0, and ends there.
struct Turn {
  std::string name;
  std::function<void()> launch;
  int times = 1;  ///< that it does the same
  std::vector<double> milliseconds = {};
  double median_us() const {
    std::vector<double> sorted = milliseconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : 1e3 * course::percentile(sorted, 0.5) / times;
  }
};

/// Events of device 0.
class Clock {
 public:
  explicit Clock(const Group& group) : group_(group) {
    CUDA_CHECK(cudaEventCreate(&start_));
    CUDA_CHECK(cudaEventCreate(&stop_));
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  ~Clock() {
    CUDA_WARN(cudaEventDestroy(start_));
    CUDA_WARN(cudaEventDestroy(stop_));
  }
  double milliseconds(const std::function<void()>& launch) const {
    CUDA_CHECK(cudaEventRecord(start_, group_.stream(0)));
    launch();
    CUDA_CHECK(cudaEventRecord(stop_, group_.stream(0)));
    group_.synchronise();
    float elapsed = 0;
    CUDA_CHECK(cudaEventElapsedTime(&elapsed, start_, stop_));
    return static_cast<double>(elapsed);
  }

 private:
  const Group& group_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

/// Runs all of them, A B C A B C ..., after two launches of each that do not count. The emulator
/// runs each once, and has no times.
inline void take_turns(const Group& group, std::vector<Turn>& turns, int samples) {
  const Clock clock(group);
  for (int i = course::on_emulator ? 0 : -2; i < (course::on_emulator ? 1 : samples); ++i) {
    for (Turn& turn : turns) {
      const double elapsed = clock.milliseconds(turn.launch);
      if (i >= 0 && !course::on_emulator) turn.milliseconds.push_back(elapsed);
    }
  }
}

/// "12.3 us" or, on the emulator, "-".
inline std::string microseconds(double us) {
  char text[32];
  std::snprintf(text, sizeof text, us < 100 ? "%.1f" : "%.0f", us);
  return us > 0 ? text : "-";
}

/// Bytes as 1 KiB, 64 MiB and so on.
inline std::string bytes_text(double bytes) {
  const char* const units[] = {"B", "KiB", "MiB", "GiB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 3; ++unit) bytes /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g %s", bytes, units[unit]);
  return text;
}

}  // namespace gpus
