// Asynchronous copies to shared memory: __pipeline_memcpy_async and the like, and cuda::pipeline.
// nvcc compiles this file as well, but for the traffic and what is looked at by the checks.

#include <cuda_pipeline.h>
#include <doctest/doctest.h>

#include <cuda/pipeline>
#include <string>
#include <vector>

#include "tests/kernel_test.hpp"

namespace {

// Each block turns a row of elements of type T round; the last `zeros` bytes of each are left out.
template <class T>
__global__ void reverse(const T* in, T* out, unsigned zeros) {
  __shared__ T tile[64];
  const unsigned i = threadIdx.x;
  __pipeline_memcpy_async(&tile[i], &in[i], sizeof(T), zeros);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[i] = tile[blockDim.x - 1 - i];
}

// Sums rows of 64 through two tiles, of which one is filled while the other is used. `zeros` bytes
// of each element but those of the first row are not read.
__global__ void sum_rows(const float* in, float* out, unsigned rows, unsigned zeros) {
  __shared__ float tile[2][64];
  const unsigned i = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&tile[0][i], &in[i], 4);
  __pipeline_commit();
  for (unsigned row = 0; row < rows; ++row) {
    if (row + 1 < rows) {
      __pipeline_memcpy_async(&tile[(row + 1) % 2][i], &in[(row + 1) * 64 + i], 4, zeros);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[row % 2][63 - i];
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void by_class(const float4* in, float4* out) {
  __shared__ float4 tile[64];
  const unsigned i = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[i], &in[i], cuda::aligned_size_t<16>(sizeof(float4)), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  out[i] = tile[63 - i];
  pipe.consumer_release();
}

}  // namespace

TEST_CASE("pipeline: copies of 4, 8 and 16 bytes arrive; zeros take the place of the end") {
  Shared<float4> in(64);
  Shared<float4> out(64);
  for (unsigned i = 0; i < 64; ++i) {
    const auto x = static_cast<float>(4 * i);
    in[i] = make_float4(x, x + 1, x + 2, x + 3);
  }
  auto* const floats = reinterpret_cast<float*>(in.get());
  auto* const results = reinterpret_cast<float*>(out.get());
  reverse<<<1, 64>>>(floats, results, 0U);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 64; ++i) CHECK(results[i] == static_cast<float>(63 - i));
  reverse<<<1, 64>>>(reinterpret_cast<float2*>(floats), reinterpret_cast<float2*>(results), 0U);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(results[0] == 126);
  CHECK(results[127] == 1);
  reverse<<<1, 64>>>(in.get(), out.get(), 4U);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0].x == 252);
  CHECK(out[0].z == 254);
  CHECK(out[0].w == 0);
  reverse<<<1, 64>>>(in.get(), out.get(), 16U);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[0].x == 0);
}

TEST_CASE("pipeline: one tile is filled while the other is used") {
  Shared<float> in(7 * 64);
  Shared<float> out(64);
  for (unsigned i = 0; i < 7 * 64; ++i) in[i] = static_cast<float>(i);
  sum_rows<<<1, 64>>>(in.get(), out.get(), 7U, 0U);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(out[i] == static_cast<float>(7 * (63 - i) + 64 * 21));
  }
}

TEST_CASE("pipeline: cuda::pipeline of a thread") {
  Shared<float4> in(64);
  Shared<float4> out(64);
  for (unsigned i = 0; i < 64; ++i) in[i] = make_float4(static_cast<float>(i), 1, 2, 3);
  by_class<<<1, 64>>>(in.get(), out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned i = 0; i < 64; ++i) CHECK(out[i].x == static_cast<float>(63 - i));
  CHECK(out[5].w == 3);
}

#ifdef CUDA_EMULATOR
#include <emulator/findings.h>
#include <emulator/pace.h>

namespace {

__global__ void never_waits(const float* in, float* out) {
  __shared__ float tile[32];
  tile[threadIdx.x] = -1;
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_wait_prior(0);  // for nothing: the copy is in no batch
  out[threadIdx.x] = tile[threadIdx.x];
}

// A barrier does not wait for copies.
__global__ void reads_before_waiting(const float* in, float* out) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
  __pipeline_wait_prior(0);
}

// The next row is copied into the tile before all threads have read the last one.
__global__ void refills_too_early(const float* in, float* out, unsigned rows) {
  __shared__ float tile[64];
  float sum = 0;
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  for (unsigned row = 0; row < rows; ++row) {
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += tile[63 - threadIdx.x];
    if (row + 1 == rows) break;
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[(row + 1) * 64 + threadIdx.x], 4);
    __pipeline_commit();
  }
  out[threadIdx.x] = sum;
}

__global__ void leaves_no_barrier(const float* in, float* out) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x ^ 1U];
}

__global__ void wrong(float* in, float* out, int what) {
  __shared__ float4 tile[2];
  if (what == 0) __pipeline_memcpy_async(tile, in + 1, 16);
  if (what == 1) __pipeline_memcpy_async(tile, in, 12);
  if (what == 2) __pipeline_memcpy_async(out, in, 16);
  if (what == 3) __pipeline_memcpy_async(tile, in, 4, 8);
}

// The kind of the first finding of a launch, and what it says; of none: nothing.
template <class Launch>
std::string found_in(Launch launch) {
  emulator::clear_findings();
  launch();
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<emulator::Finding> findings = emulator::findings();
  emulator::clear_findings();
  return findings.empty() ? "" : findings[0].kind + ": " + findings[0].what;
}

}  // namespace

TEST_CASE("pipeline: the checks find who comes too early, and nothing in what is right") {
  float* in = nullptr;
  float* out = nullptr;
  emulator::set_checking(true);  // now, so that it is known what has been written
  REQUIRE(cudaMalloc(&in, 4 * 64 * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMalloc(&out, 64 * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMemset(in, 0, 4 * 64 * sizeof(float)) == cudaSuccess);
  CHECK(found_in([&] { sum_rows<<<1, 64>>>(in, out, 4U, 0U); }).empty());
  CHECK(found_in([&] { reverse<<<1, 64>>>(in, out, 0U); }).empty());
  const std::string unfinished = "that an asynchronous copy may still be writing";
  CHECK(found_in([&] { reads_before_waiting<<<1, 64>>>(in, out); }) ==
        "race: the kernel reads shared memory " + unfinished);
  CHECK(found_in([&] { never_waits<<<1, 32>>>(in, out); }) ==
        "race: the kernel reads shared memory " + unfinished);
  const std::string refilled = found_in([&] { refills_too_early<<<1, 64>>>(in, out, 4U); });
  CHECK(refilled.starts_with("race: "));
  const std::string unordered = found_in([&] { leaves_no_barrier<<<1, 64>>>(in, out); });
  CHECK(unordered ==
        "race: one lane reads a word of shared memory that another lane of its warp has "
        "written, and nothing orders the two");
  CHECK(cudaFree(in) == cudaSuccess);
  CHECK(cudaFree(out) == cudaSuccess);
  emulator::set_checking(false);
}

TEST_CASE("pipeline: what has not been waited for has not arrived") {
  Shared<float> in(32);
  Shared<float> out(32);
  never_waits<<<1, 32>>>(in.get(), out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out[3] == -1);
}

TEST_CASE("pipeline: a copy is a global load and no shared store") {
  Shared<float4> in(64);
  Shared<float4> out(64);
  const auto whole = traffic_of([&] { reverse<<<1, 32>>>(in.get(), out.get(), 0U); });
  CHECK(whole.global_load_requests == 1);
  CHECK(whole.global_load_sectors == 16);
  CHECK(whole.shared_store_instructions == 0);
  CHECK(whole.shared_load_instructions == 1);
  const auto none = traffic_of([&] { reverse<<<1, 32>>>(in.get(), out.get(), 16U); });
  CHECK(none.global_load_requests == 0);
  const auto small = traffic_of([&] {
    reverse<<<1, 32>>>(reinterpret_cast<float*>(in.get()), reinterpret_cast<float*>(out.get()), 0U);
  });
  CHECK(small.global_load_sectors == 4);
}

TEST_CASE("pipeline: copies that begin while an earlier batch is in flight are counted") {
  Shared<float> in(7 * 64);
  Shared<float> out(64);
  const auto ahead = [](const auto& launch) {
    traffic_of(launch);
    return emulator::pace().copies_ahead;
  };
  CHECK(ahead([&] { reverse<<<1, 64>>>(in.get(), out.get(), 0U); }) == 0);
  // Each row but the first begins while the one before it is in flight.
  CHECK(ahead([&] { sum_rows<<<1, 64>>>(in.get(), out.get(), 7U, 0U); }) == 6 * 64);
  // What reads nothing, but sets a tile to 0, is no copy that runs ahead.
  CHECK(ahead([&] { sum_rows<<<1, 64>>>(in.get(), out.get(), 7U, 4U); }) == 0);
}

TEST_CASE("pipeline: wrong sizes and addresses end the launch") {
  const cudaError_t expected[] = {cudaErrorMisalignedAddress, cudaErrorLaunchFailure,
                                  cudaErrorInvalidAddressSpace, cudaErrorLaunchFailure};
  for (int what = 0; what < 4; ++what) {
    CAPTURE(what);
    Shared<float4> in(2);
    wrong<<<1, 1>>>(reinterpret_cast<float*>(in.get()), reinterpret_cast<float*>(in.get()), what);
    CHECK(cudaDeviceSynchronize() == expected[what]);
    CHECK(cudaDeviceReset() == cudaSuccess);
  }
}
#endif
