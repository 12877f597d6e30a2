// The functions of timing.hpp.
#pragma once

#include <algorithm>
#include <chrono>

#include "timing.hpp"

namespace course {

COURSE_ONCE double percentile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = position - static_cast<double>(below);
  return sorted[below] * (1.0 - weight) + sorted[above] * weight;
}

COURSE_ONCE Timing summarise(std::vector<double> milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  Timing timing;
  timing.samples = static_cast<int>(milliseconds.size());
  timing.median_ms = percentile(milliseconds, 0.5);
  timing.p10_ms = percentile(milliseconds, 0.1);
  timing.p90_ms = percentile(milliseconds, 0.9);
  return timing;
}

namespace detail {

COURSE_ONCE std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace detail

COURSE_ONCE void HostTimer::start() {
  start_ns_ = detail::now_ns();
}

COURSE_ONCE double HostTimer::stop() const {
  return static_cast<double>(detail::now_ns() - start_ns_) / 1e6;
}

}  // namespace course
