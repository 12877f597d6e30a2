#include "clocks/clocks.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "timing.hpp"

namespace course::measure {
namespace {

using Number = std::optional<unsigned> ClockSample::*;

/// The figures that were told, sorted.
std::vector<double> sorted(const std::vector<ClockSample>& samples, Number figure) {
  std::vector<double> values;
  for (const ClockSample& sample : samples) {
    if (sample.*figure) values.push_back(*(sample.*figure));
  }
  std::sort(values.begin(), values.end());
  return values;
}

std::optional<double> share(const std::vector<double>& values, double position) {
  if (values.empty()) return std::nullopt;
  return percentile(values, position);
}

}  // namespace

std::vector<std::string> reason_names(unsigned long long bits) {
  // Bits: NVIDIA's NVML API reference, "NvmlClocksEventReasons"; names as nvidia-smi has them.
  static constexpr const char* names[] = {"gpu_idle",
                                          "applications_clocks_setting",
                                          "sw_power_cap",
                                          "hw_slowdown",
                                          "sync_boost",
                                          "sw_thermal_slowdown",
                                          "hw_thermal_slowdown",
                                          "hw_power_brake_slowdown",
                                          "display_clock_setting"};
  std::vector<std::string> found;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((bits >> bit & 1U) == 0) continue;
    found.push_back(bit < std::size(names) ? names[bit] : "unknown_bit_" + std::to_string(bit));
  }
  return found;
}

ClockSummary summarise_clocks(const std::vector<ClockSample>& samples) {
  ClockSummary summary;
  summary.samples = static_cast<int>(samples.size());
  const std::vector<double> sm = sorted(samples, &ClockSample::sm_mhz);
  summary.sm_mhz_median = share(sm, 0.5);
  summary.sm_mhz_min = share(sm, 0.0);
  summary.memory_mhz_median = share(sorted(samples, &ClockSample::memory_mhz), 0.5);
  summary.celsius_max = share(sorted(samples, &ClockSample::celsius), 1.0);
  if (const auto power = share(sorted(samples, &ClockSample::power_mw), 1.0)) {
    summary.power_w_max = *power / 1000.0;
  }
  std::optional<unsigned long long> bits;
  for (const ClockSample& sample : samples) {
    if (sample.reasons) bits = bits.value_or(0) | *sample.reasons;
  }
  if (bits) summary.reasons = reason_names(*bits);
  return summary;
}

}  // namespace course::measure
