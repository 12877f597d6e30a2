#define main program_main  // not the main() of the test
#include "shared_bandwidth.cu"
#undef main

#include <doctest/doctest.h>

TEST_CASE("each wavefront carries 128 bytes, and every read is made") {
  const int reads = 24;
  const int grid = 2;
  const course::DeviceArray<float> values(std::vector<float>(4 * places, 1.0F));
  course::DeviceArray<float> sums(static_cast<size_t>(grid) * threads);
  const auto* places_of_16 = reinterpret_cast<const float4*>(static_cast<const float*>(values));
  sums.poison();
  const emulator::Traffic traffic = course::total(
      course::record_traffic([&] { launch_read_shared(grid, places_of_16, sums, reads); }));
  for (const float sum : sums.to_host()) REQUIRE(sum == 4.0F * reads);
  const auto warps = static_cast<size_t>(grid) * threads / 32;
  CHECK(traffic.shared_load_instructions == warps * reads);
  CHECK(traffic.shared_load_wavefronts == 4 * warps * reads);  // 512 bytes, 128 in each
  CHECK(traffic.shared_load_bank_conflicts == 0);
}

TEST_CASE("the program verifies what it measures, for any number of reads") {
  for (const char* reads : {"1", "3", "4", "10"}) {
    CAPTURE(reads);
    std::string words[] = {"shared_bandwidth", "--size", reads};
    char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    CHECK(program_main(3, arguments) == 0);
  }
}
