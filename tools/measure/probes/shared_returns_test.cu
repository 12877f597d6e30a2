#define main program_main  // not the main() of the test
#include "shared_returns.cu"
#undef main

#include <doctest/doctest.h>

TEST_CASE("each pattern takes as many wavefronts as its name says") {
  const course::DeviceArray<float> values(std::vector<float>(4 * steps * loads * lanes, 1.0F));
  const auto* fours = reinterpret_cast<const float4*>(static_cast<const float*>(values));
  course::DeviceArray<float> sums(size_t{threads} * rows * cols);
  for (const LanePattern& pattern : patterns) {
    CAPTURE(pattern.name);
    const course::DeviceArray<int> places(places_of(pattern));
    const emulator::Traffic traffic =
        course::total(course::record_traffic([&] { launch_multiply(1, fours, places, sums, 1); }));
    // The numbers of the next pass's first step are read in the end as well.
    const size_t read = size_t{threads} / lanes * loads * (steps + 1);
    CHECK(traffic.shared_load_instructions == read);
    const auto wavefronts = static_cast<size_t>(pattern.name[0] - '0');
    CHECK(traffic.shared_load_wavefronts == wavefronts * read);
  }
}

TEST_CASE("the program verifies what it measures") {
  std::string words[] = {"shared_returns", "--size", "1"};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  CHECK(program_main(3, arguments) == 0);
}
