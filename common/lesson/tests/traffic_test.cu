// record_traffic(): the emulator's counts as a check sees them.

#include "traffic.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "device.hpp"

namespace {

__global__ void add_one(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1.0F;
}

}  // namespace

TEST_CASE("traffic: the launches of a piece of work, and no others") {
  course::DeviceArray<float> x(1000);
  x.poison();
  add_one<<<1, 32>>>(x, 32);
  const auto launches = course::record_traffic([&] {
    add_one<<<4, 256>>>(x, 1000);
    add_one<<<1, 64>>>(x, 64);
  });
  add_one<<<1, 32>>>(x, 32);
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].kernel == "add_one");
  CHECK(launches[0].block.x == 256);
  CHECK(launches[0].traffic.global_load_requests == 32);
  CHECK(launches[0].traffic.global_load_sectors == 125);
  CHECK(launches[1].traffic.global_store_sectors == 8);
  CHECK(course::total(launches).global_load_sectors == 125 + 8);
  CHECK(emulator::launches().empty());
  CHECK_FALSE(emulator::recording());
}

TEST_CASE("traffic: recording goes back to what it was, exceptions or not") {
  CHECK_THROWS_AS(course::record_traffic([] { throw std::runtime_error("of the work"); }),
                  std::runtime_error);
  CHECK_FALSE(emulator::recording());
  emulator::set_recording(true);
  course::record_traffic([] {});
  CHECK(emulator::recording());
  emulator::set_recording(false);
}
