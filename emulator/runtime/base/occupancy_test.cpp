/// \file
/// The occupancy queries. The figures were measured on an H200.

#include "tests/support/host_test.hpp"

using namespace host_test;

namespace {

int kernel_in_name_only = 0;
const void* const kernel = &kernel_in_name_only;

int blocks_of(int size, std::size_t shared) {
  int blocks = -1;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, size, shared) ==
          cudaSuccess);
  return blocks;
}

std::size_t available(int blocks, int size) {
  std::size_t bytes = 0;
  REQUIRE(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, blocks, size) == cudaSuccess);
  return bytes;
}

}  // namespace

TEST_CASE("a multiprocessor holds as many blocks as an H200's") {
  const Fresh fresh;
  CHECK(blocks_of(1, 0) == 32);
  CHECK(blocks_of(33, 0) == 32);
  CHECK(blocks_of(65, 0) == 21);
  CHECK(blocks_of(96, 0) == 21);
  CHECK(blocks_of(1000, 0) == 2);
  CHECK(blocks_of(1025, 0) == 0);
  CHECK(blocks_of(64, 5000) == 32);
  CHECK(blocks_of(64, 24832) == 9);
  CHECK(blocks_of(64, 24833) == 8);  // as many as with 24960, the next multiple of 128
  CHECK(blocks_of(64, 48000) == 4);
  CHECK(blocks_of(64, 100000) == 0);
  REQUIRE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000) ==
          cudaSuccess);
  CHECK(blocks_of(64, 100000) == 2);
  CHECK(blocks_of(64, 100001) == 0);
}

TEST_CASE("dynamic shared memory is shared out as on an H200") {
  const Fresh fresh;
  CHECK(available(1, 64) == 49152);
  CHECK(available(4, 64) == 49152);
  CHECK(available(7, 64) == 33280);  // a seventh, rounded down to 128
  CHECK(available(8, 64) == 29184);
  CHECK(available(16, 64) == 14592);
  CHECK(available(32, 64) == 7296);
  CHECK(available(2, 1024) == 49152);
  REQUIRE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000) ==
          cudaSuccess);
  CHECK(available(2, 64) == 100000);
  CHECK(available(3, 64) == 77824);
  REQUIRE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024) ==
          cudaSuccess);
  CHECK(available(1, 64) == 232448);
  CHECK(available(2, 64) == 116736);
  CHECK(blocks_of(64, 116736) == 1);
}

TEST_CASE("more blocks than fit share nothing") {
  const Fresh fresh;
  std::size_t bytes = 7;
  constexpr auto invalid = cudaErrorInvalidValue;
  for (const int size : {0, -1, 1025}) {
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, size) == invalid);
    CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 2, size) == invalid);
  }
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 0, 64) == invalid);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 33, 64) == invalid);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 4, 513) == invalid);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, kernel, 2, 64) == invalid);
  const void* const none = nullptr;
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, none, 2, 64) ==
        cudaErrorInvalidDeviceFunction);
  CHECK(bytes == 7);
}
