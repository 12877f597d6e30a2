// cuda::pipeline that the threads of a block share. nvcc also compiles this file, but for what is
// looked at by the checks.

#include <cooperative_groups.h>
#include <doctest/doctest.h>

#include <cuda/pipeline>
#include <string>

#include "tests/kernel_test.hpp"

namespace {

// As everybody's pipelines in shared memory.
#pragma nv_diag_suppress static_var_with_dynamic_init

enum Mistake { none, no_wait, no_acquire, no_release, no_commit };

constexpr unsigned row = 64;
constexpr unsigned stages = 2;
constexpr unsigned producers = 32;

using State = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;
using Pipeline = cuda::pipeline<cuda::thread_scope_block>;
using Bytes = cuda::aligned_size_t<alignof(float)>;

__device__ void fill(Pipeline& pipe, float* tile, const float* in, unsigned first, unsigned step,
                     Mistake mistake) {
  if (mistake != no_acquire) pipe.producer_acquire();
  for (unsigned i = first; i < row; i += step) {
    cuda::memcpy_async(&tile[i], &in[i], Bytes(sizeof(float)), pipe);
  }
  if (mistake != no_commit) pipe.producer_commit();
}

__device__ float use(Pipeline& pipe, const float* tile, unsigned i, Mistake mistake) {
  if (mistake != no_wait) pipe.consumer_wait();
  const float value = tile[row - 1 - i];
  if (mistake != no_release) pipe.consumer_release();
  return value;
}

// The first threads fill, the others add up; they say so, or only how many they are.
template <bool by_role>
__global__ void sum_with_parts(const float* in, float* out, unsigned rows, Mistake mistake) {
  __shared__ float tile[stages][row];
  __shared__ State state;
  const auto block = cooperative_groups::this_thread_block();
  const bool fills = threadIdx.x < producers;
  const auto role = fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = [&] {
    if constexpr (by_role) {
      return cuda::make_pipeline(block, &state, role);
    } else {
      (void)role;
      return cuda::make_pipeline(block, &state, std::size_t{producers});
    }
  }();
  if (fills) {
    for (unsigned r = 0; r < rows; ++r) {
      fill(pipe, tile[r % stages], in + r * row, threadIdx.x, producers, mistake);
    }
    return;
  }
  const unsigned i = threadIdx.x - producers;
  float sum = 0;
  for (unsigned r = 0; r < rows; ++r) sum += use(pipe, tile[r % stages], i, mistake);
  out[i] = sum;
}

// All threads fill and use; a stage is filled while the one before it is used.
__global__ void sum_together(const float* in, float* out, unsigned rows, int* last) {
  __shared__ float tile[stages][row];
  __shared__ State state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  fill(pipe, tile[0], in, threadIdx.x, row, none);
  for (unsigned r = 0; r < rows; ++r) {
    if (r + 1 < rows) {
      fill(pipe, tile[(r + 1) % stages], in + (r + 1) * row, threadIdx.x, row, none);
    }
    sum += use(pipe, tile[r % stages], threadIdx.x, none);
  }
  out[threadIdx.x] = sum;
  if (pipe.quit()) atomicAdd(last, 1);
}

void check_sums(Shared<float>& out, unsigned rows) {
  for (unsigned i = 0; i < row; ++i) {
    float expected = 0;
    for (unsigned r = 0; r < rows; ++r) expected += static_cast<float>(r * row + row - 1 - i);
    CHECK(out[i] == expected);
  }
}

}  // namespace

TEST_CASE("block pipeline: some threads fill what others use, or all do both") {
  for (const unsigned rows : {1U, 2U, 3U, 7U}) {
    CAPTURE(rows);
    Shared<float> in(rows * row);
    Shared<float> out(row);
    Shared<int> last(1);
    for (unsigned i = 0; i < rows * row; ++i) in[i] = static_cast<float>(i);
    sum_with_parts<true><<<1, producers + row>>>(in.get(), out.get(), rows, none);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    check_sums(out, rows);
    for (unsigned i = 0; i < row; ++i) out[i] = -1;
    sum_with_parts<false><<<1, producers + row>>>(in.get(), out.get(), rows, none);
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    check_sums(out, rows);
    for (unsigned i = 0; i < row; ++i) out[i] = -1;
    sum_together<<<1, row>>>(in.get(), out.get(), rows, last.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    check_sums(out, rows);
    CHECK(last[0] >= 1);
  }
}

#ifdef CUDA_EMULATOR

namespace {

#pragma nv_diag_suppress static_var_with_dynamic_init
std::string found_with(Mistake mistake) {
  emulator::set_checking(true);  // now, so that it is known what has been written
  float* in = nullptr;
  float* out = nullptr;
  REQUIRE(cudaMalloc(&in, 8 * row * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMalloc(&out, row * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMemset(in, 0, 8 * row * sizeof(float)) == cudaSuccess);
  const std::string found =
      lines_found_in([&] { sum_with_parts<true><<<1, producers + row>>>(in, out, 8U, mistake); });
  emulator::set_checking(false);
  cudaDeviceReset();
  return found;
}

}  // namespace

TEST_CASE("block pipeline: the checks find each call that is forgotten") {
  CHECK(found_with(none).empty());
  const auto tells = [](Mistake mistake, const std::string& line) {
    return found_with(mistake).find(line) != std::string::npos;
  };
  CHECK(tells(no_wait, "race: "));
  CHECK(tells(no_acquire, "race: "));
  CHECK(tells(no_release, "waits forever at an mbarrier: its phase still waits for 64 of 64"));
  CHECK(tells(no_commit, "waits forever at an mbarrier: its phase still waits for 32 of 32"));
}

TEST_CASE(
    "block pipeline: a copy is a global load, and the pipeline's own affairs are no traffic") {
  Shared<float> in(row);
  Shared<float> out(row);
  Shared<int> last(1);
  const auto traffic =
      traffic_of([&] { sum_together<<<1, row>>>(in.get(), out.get(), 1U, last.get()); });
  CHECK(traffic.global_load_requests == 2);
  CHECK(traffic.shared_store_instructions == 0);
  CHECK(traffic.shared_load_instructions == 2);
  CHECK(traffic.shared_atomic_instructions == 0);
}

#endif
