#include "clocks/clocks.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "clocks/nvml.hpp"

using namespace course::measure;
using Words = std::vector<std::string>;

TEST_CASE("each bit has its name, and an unknown one its number") {
  CHECK(reason_names(0).empty());
  CHECK(reason_names(0x1) == Words{"gpu_idle"});
  CHECK(reason_names(0x2) == Words{"applications_clocks_setting"});
  CHECK(reason_names(0x4) == Words{"sw_power_cap"});
  CHECK(reason_names(0x8) == Words{"hw_slowdown"});
  CHECK(reason_names(0x10) == Words{"sync_boost"});
  CHECK(reason_names(0x20) == Words{"sw_thermal_slowdown"});
  CHECK(reason_names(0x40) == Words{"hw_thermal_slowdown"});
  CHECK(reason_names(0x80) == Words{"hw_power_brake_slowdown"});
  CHECK(reason_names(0x100) == Words{"display_clock_setting"});
  CHECK(reason_names(0x204) == Words{"sw_power_cap", "unknown_bit_9"});
  CHECK(reason_names(1ULL << 63) == Words{"unknown_bit_63"});
}

TEST_CASE("many looks are summed up") {
  const ClockSummary summary = summarise_clocks({{1900, 3000, 400500, 50, 0x4},
                                                 {1200, 3000, 690000, 61, 0x20},
                                                 {1980, 2000, 100000, 55, 0x4}});
  CHECK(summary.samples == 3);
  CHECK(summary.sm_mhz_median == 1900);
  CHECK(summary.sm_mhz_min == 1200);
  CHECK(summary.memory_mhz_median == 3000);
  CHECK(summary.power_w_max == 690);
  CHECK(summary.celsius_max == 61);
  CHECK(summary.reasons == Words{"sw_power_cap", "sw_thermal_slowdown"});
}

TEST_CASE("what the driver does not tell is absent, and seeing nothing is not seeing no reason") {
  const ClockSummary nothing = summarise_clocks({});
  CHECK(nothing.samples == 0);
  CHECK_FALSE(nothing.sm_mhz_median);
  CHECK_FALSE(nothing.power_w_max);
  CHECK_FALSE(nothing.reasons);
  const ClockSummary some = summarise_clocks({{1900, {}, {}, {}, 0}, {{}, {}, {}, {}, {}}});
  CHECK(some.sm_mhz_min == 1900);
  CHECK_FALSE(some.celsius_max);
  CHECK(some.reasons == Words{});
}

TEST_CASE("without the driver's library, or without that GPU, one line says so") {
  ClockWatch watch("FFFF:FF:1F.7");
  CHECK_FALSE(watch.problem().empty());
  CHECK(watch.problem().find('\n') == std::string::npos);
  watch.begin();
  CHECK(watch.end().samples == 0);
  CHECK_FALSE(watch.driver_version());
  CHECK_FALSE(watch.max_sm_mhz());
}
