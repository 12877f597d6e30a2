// A launch that fails is reported, and the program lives on, however far its kernel has come. What
// is instrumented gives its turn away once every that many blocks of code, and the linker may have
// chosen this program's copy of those functions of std::string's that the emulator itself calls.

#include <cooperative_groups.h>
#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include "emulator/findings.h"
#include "engine/error_output_test.hpp"

namespace {

namespace cg = cooperative_groups;

__device__ void pass_blocks_of_code(int count, int* values) {
  for (int i = 0; i < count; ++i) values[threadIdx.x] += i;
}

__global__ void two_kinds_of_barrier(int count, int* values) {
  pass_blocks_of_code(count, values);
  if (threadIdx.x < 32) {
    cg::this_grid().sync();
  } else {
    __syncthreads();
  }
}

__global__ void two_kinds_of_vote(int count, int* values) {
  pass_blocks_of_code(count, values);
  values[threadIdx.x] = threadIdx.x < 32 ? __syncthreads_or(1) : __syncthreads_and(1);
}

__global__ void nobody_else_comes(int count, int* values) {
  pass_blocks_of_code(count, values);
  if (blockIdx.x == 0) cg::this_grid().sync();
}

__global__ void all_store_nowhere(int count, int* values) {
  pass_blocks_of_code(count, values);
  *static_cast<volatile int*>(nullptr) = values[threadIdx.x];
}

// How often the text is said, if the kernel is launched again and again and has come further each
// time.
template <class Kernel>
int times_told(Kernel kernel, int blocks, cudaError_t expected, const std::string& text) {
  constexpr int until_all_were_met = 64;
  const std::string said = error_output_of([&] {
    for (int count = 0; count < until_all_were_met; ++count) {
      int* values = nullptr;
      REQUIRE(cudaMallocManaged(&values, 64 * sizeof(int)) == cudaSuccess);
      void* arguments[] = {&count, &values};
      REQUIRE(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(64), arguments) ==
              cudaSuccess);
      CHECK(cudaDeviceSynchronize() == expected);
      REQUIRE(cudaDeviceReset() == cudaSuccess);
      (void)cudaGetLastError();  // other tests begin without an error
    }
  });
  int times = 0;
  for (std::size_t at = 0; (at = said.find(text, at)) != std::string::npos; ++at) ++times;
  return times;
}

}  // namespace

TEST_CASE("of a launch that fails the line is printed, however far its kernel has come") {
  emulator::set_checking(false);
  SUBCASE("threads at two barriers") {
    CHECK(times_told(two_kinds_of_barrier, 1, cudaErrorLaunchFailure,
                     "some threads of a block wait at a barrier of the grid, and the others "
                     "elsewhere, thread (0,0,0) of block (0,0,0)\n") == 64);
  }
  SUBCASE("threads that vote in two ways") {
    CHECK(times_told(two_kinds_of_vote, 1, cudaErrorLaunchFailure,
                     "threads of one block wait at different kinds of __syncthreads, thread "
                     "(32,0,0) of block (0,0,0)\n") == 64);
  }
  SUBCASE("a barrier of the grid that a block does not reach") {
    CHECK(times_told(nobody_else_comes, 2, cudaErrorLaunchFailure,
                     "a barrier of the grid waits for blocks that ended without reaching it, "
                     "thread (0,0,0) of block (0,0,0)\n") == 64);
  }
  SUBCASE("an access that faults, in all threads") {
    CHECK(times_told(all_store_nowhere, 1, cudaErrorIllegalAddress,
                     "null pointer, or at an address that no memory can have, thread (0,0,0) of "
                     "block (0,0,0)\n") == 64);
  }
}
