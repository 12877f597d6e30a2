/// @file
/// What the GPU's clocks, power and temperature were while a kernel ran.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace course::measure {

/// One look at the GPU. What the driver does not tell is absent.
struct ClockSample {
  std::optional<unsigned> sm_mhz;
  std::optional<unsigned> memory_mhz;
  std::optional<unsigned> power_mw;
  std::optional<unsigned> celsius;
  std::optional<unsigned long long> reasons;  ///< bits: why the clock is not higher
};

/// Many looks, summed up.
struct ClockSummary {
  int samples = 0;
  std::optional<double> sm_mhz_median;
  std::optional<double> sm_mhz_min;
  std::optional<double> memory_mhz_median;
  std::optional<double> power_w_max;
  std::optional<double> celsius_max;
  std::optional<std::vector<std::string>> reasons;  ///< all that were seen
};

/// Names of the reasons whose bits are set, in the order of the bits.
std::vector<std::string> reason_names(unsigned long long bits);

/// Sums up.
ClockSummary summarise_clocks(const std::vector<ClockSample>& samples);

}  // namespace course::measure
