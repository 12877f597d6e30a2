// Memory spaces, barriers, atomics: what any kernel relies on.

#include <doctest/doctest.h>

#include <numeric>

#include "engine/launches/managed_buffer_test.hpp"

using launch_test::Buffer;

namespace {

__constant__ float coefficients[5];
__constant__ int with_value = 42;
__device__ int device_counter = 3;

__global__ void use_symbols(float* out) {
  out[threadIdx.x] = coefficients[threadIdx.x] * static_cast<float>(with_value);
  if (threadIdx.x == 0) device_counter += 1;
}

}  // namespace

TEST_CASE("constant and device variables") {
  const float values[5] = {1, 2, 3, 4, 5};
  Buffer<float> out(5);
  OK(cudaMemcpyToSymbol(coefficients, values, sizeof(values)));
  use_symbols<<<1, 5>>>(out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 5; ++i) CHECK(out[i] == 42.0F * values[i]);
  int counter = 0;
  OK(cudaMemcpyFromSymbol(&counter, device_counter, sizeof(counter)));
  CHECK(counter == 4);
  CHECK(cudaMemcpyToSymbol(coefficients, values, sizeof(values), 4) == cudaErrorInvalidValue);
  cudaGetLastError();
}

namespace {

extern __shared__ int at_namespace_scope[];

__global__ void reverse_static(int* data) {
  __shared__ int tile[256];
  const int base = blockIdx.x * 256;
  tile[threadIdx.x] = data[base + threadIdx.x];
  __syncthreads();
  data[base + threadIdx.x] = tile[255 - threadIdx.x];
}

template <class T>
__global__ void reverse_dynamic(T* data, int n) {
  extern __shared__ T tile[];
  tile[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  T* const alias = tile + 1;
  data[threadIdx.x] = alias[n - 2 - static_cast<int>(threadIdx.x)];
}

__global__ void reverse_namespace_scope(int* data, int n) {
  at_namespace_scope[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = at_namespace_scope[n - 1 - threadIdx.x];
}

}  // namespace

TEST_CASE("shared memory, static and dynamic, with barriers") {
  Buffer<int> data(256 * 50);  // 50 blocks, on several host threads
  std::iota(data.data, data.data + data.size, 0);
  reverse_static<<<50, 256>>>(data);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 256 * 50; ++i) REQUIRE(data[i] == i / 256 * 256 + 255 - i % 256);

  Buffer<double> doubles(100);
  std::iota(doubles.data, doubles.data + 100, 0.0);
  reverse_dynamic<<<1, 100, 100 * sizeof(double)>>>(doubles.data, 100);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 99; ++i) REQUIRE(doubles[i] == 99 - i);

  std::iota(data.data, data.data + 100, 0);
  reverse_namespace_scope<<<1, 100, 100 * sizeof(int)>>>(data, 100);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) REQUIRE(data[i] == 99 - i);
}

namespace {

__global__ void count_forms(int* out) {
  const int mine = threadIdx.x % 3 == 0;
  const int count = __syncthreads_count(mine);
  const int all = __syncthreads_and(mine);
  const int any = __syncthreads_or(mine);
  const int none = __syncthreads_or(0);
  out[threadIdx.x] = count * 1000 + (all != 0) * 100 + (any != 0) * 10 + (none != 0);
}

// Threads that have left count as arrived (Volta and newer).
__global__ void leave_early(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (threadIdx.x >= 40) return;
  atomicAdd(&sum, 1);
  __syncthreads();
  out[threadIdx.x] = sum;
}

// A thread that has left has no vote, whether it ever voted or not.
__global__ void vote_of_who_stays(int* out) {
  const unsigned group = threadIdx.x % 3;
  if (group == 0) return;
  const int before = __syncthreads_count(1);
  if (group == 1) return;
  const int count = __syncthreads_count(1);
  const int any = __syncthreads_or(0);
  const int all = __syncthreads_and(1);
  out[threadIdx.x] = before * 1000 + count * 10 + (any != 0) * 2 + (all != 0);
}

}  // namespace

TEST_CASE("barriers that count, and threads that left") {
  Buffer<int> out(100);
  count_forms<<<1, 100>>>(out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 100; ++i) REQUIRE(out[i] == 34 * 1000 + 10);
  leave_early<<<1, 100>>>(out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 40; ++i) REQUIRE(out[i] == 40);
  vote_of_who_stays<<<1, 100>>>(out);
  OK(cudaDeviceSynchronize());
  for (int i = 2; i < 100; i += 3) REQUIRE(out[i] == 66 * 1000 + 33 * 10 + 1);
}

namespace {

__global__ void histogram(const int* values, int* bins, unsigned* ticket) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[values[i] % 16], 1);
  __threadfence();
  atomicInc(ticket, 0xFFFFFFFFU);
}

__global__ void wait_for_flag(volatile int* flag, int* out) {
  if (threadIdx.x == 32) *flag = 1;  // the second warp sets what the first one polls
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    out[0] = 5;
  }
}

}  // namespace

TEST_CASE("atomics between blocks, and polling between warps") {
  Buffer<int> values(20000);
  Buffer<int> bins(16);
  Buffer<unsigned> ticket(1);
  std::iota(values.data, values.data + values.size, 0);
  histogram<<<100, 200>>>(values, bins, ticket);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 16; ++i) CHECK(bins[i] == 1250);
  CHECK(ticket[0] == 20000);
  Buffer<int> out(2);
  wait_for_flag<<<1, 64>>>(out.data + 1, out.data);
  OK(cudaDeviceSynchronize());
  CHECK(out[0] == 5);
}
