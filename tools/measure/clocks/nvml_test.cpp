// The watch on the clocks, with a stand-in for the driver's library in place of the library.
#include "clocks/nvml.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <thread>

using namespace course::measure;

namespace {

constexpr const char* bus_id = "0000:01:00.0";

ClockSummary watched(ClockWatch& watch) {
  watch.begin();
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  return watch.end();
}

}  // namespace

TEST_CASE("what the library says while a window is open") {
  ClockWatch watch(bus_id);
  REQUIRE_MESSAGE(watch.problem().empty(), watch.problem());
  CHECK(watch.driver_version() == "580.0");
  CHECK(watch.max_sm_mhz() == 2000);
  const ClockSummary summary = watched(watch);
  CHECK(summary.samples > 0);
  CHECK(summary.sm_mhz_median == 1980);
  CHECK(summary.memory_mhz_median == 3201);
  CHECK(summary.power_w_max == 400);
  CHECK_FALSE(summary.celsius_max);  // the library refuses
  CHECK(summary.reasons == std::vector<std::string>{"sw_power_cap"});
}

TEST_CASE("between two windows nothing is seen, and the second sees only its own") {
  ClockWatch watch(bus_id);
  const int first = watched(watch).samples;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(watch.end().samples == first);
  CHECK(watched(watch).samples < first + 10);
}

TEST_CASE("a GPU that the library does not know is a problem, in one line") {
  CHECK(ClockWatch("0000:02:00.0").problem() == "nvmlDeviceGetHandleByPciBusId_v2 gave status 6");
}

// An error of the bench ends the program while a window is open.
TEST_CASE("a watch that is destroyed in the middle of a window ends") {
  alarm(20);  // kills this program if it hangs
  for (int again = 0; again < 20; ++again) {
    ClockWatch watch(bus_id);
    watch.begin();
    if (again % 2 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  alarm(0);
}
