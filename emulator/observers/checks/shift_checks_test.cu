// Shifts by more bits than a value has. A GPU mostly gives 0, the host another value.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "emulator/findings.h"

namespace {

__global__ void shift(unsigned* words, int bits) {
  words[0] = words[0] << bits;
  words[1] = words[1] >> (bits & 31);
}
__global__ void shift_wide(unsigned long long* words, int bits) {
  words[0] = words[0] << bits;
}

template <class Launch>
std::vector<emulator::Finding> found(Launch launch) {
  void* memory = nullptr;
  REQUIRE(cudaMallocManaged(&memory, 64) == cudaSuccess);
  REQUIRE(cudaMemset(memory, 0xFF, 64) == cudaSuccess);
  emulator::clear_findings();
  emulator::set_checking(true);
  launch(memory);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  emulator::set_checking(false);
  std::vector<emulator::Finding> result = emulator::findings();
  emulator::clear_findings();
  REQUIRE(cudaFree(memory) == cudaSuccess);
  return result;
}

std::vector<emulator::Finding> found_by(int bits) {
  return found([&](void* memory) { shift<<<1, 1>>>(static_cast<unsigned*>(memory), bits); });
}

}  // namespace

TEST_CASE("a shift by as many bits as there are is found, with its amount") {
  CHECK(found_by(0).empty());
  CHECK(found_by(31).empty());
  const std::vector<emulator::Finding> by_32 = found_by(32);
  REQUIRE(by_32.size() == 1);
  CHECK(by_32[0].kind == "shift");
  CHECK(by_32[0].severity == emulator::Severity::warning);
  CHECK(by_32[0].place.line == 13);
  CHECK(by_32[0].what.find("a value of 32 bits is shifted by 32:") == 0);
  const std::vector<emulator::Finding> by_less = found_by(-1);
  REQUIRE(by_less.size() == 1);
  CHECK(by_less[0].what.find("shifted by -1:") != std::string::npos);
  CHECK(found([](void* memory) {
          shift_wide<<<1, 1>>>(static_cast<unsigned long long*>(memory), 40);
        }).empty());
  CHECK(found([](void* memory) {
          shift_wide<<<1, 1>>>(static_cast<unsigned long long*>(memory), 64);
        }).size() == 1);
}
