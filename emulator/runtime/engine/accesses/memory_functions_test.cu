// memcpy() and its siblings in kernels: one byte an instruction, as nvcc 13 compiles them for an
// H200.

#include <doctest/doctest.h>

#include <cstring>

#include "emulator/traffic.h"
#include "tests/kernel_test.hpp"

namespace {

constexpr size_t bytes = 1 << 16;

struct Memory {
  Memory() {
    REQUIRE(cudaMalloc(&in, bytes) == cudaSuccess);
    REQUIRE(cudaMalloc(&out, bytes) == cudaSuccess);
    REQUIRE(cudaMemset(in, 1, bytes) == cudaSuccess);
  }
  ~Memory() {
    cudaFree(in);
    cudaFree(out);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  float* in = nullptr;
  float* out = nullptr;
};

template <int n>
struct Vector {
  float v[n];
};

template <int n>
__global__ void load(const float* in, float* out) {
  Vector<n> x;
  memcpy(&x, in + n * threadIdx.x, sizeof x);
  out[threadIdx.x] = x.v[0] + x.v[n - 1];
}
__global__ void store(float* out) {
  const Vector<3> x{{1, 2, 3}};
  std::memcpy(out + 3 * threadIdx.x, &x, sizeof x);
}
__global__ void both(const float* in, float* out) {
  __builtin_memcpy(out + 5 * threadIdx.x, in + 5 * threadIdx.x, 20);
}
__global__ void any_size(const float* in, float* out, int n) {
  memcpy(out + n * threadIdx.x, in + n * threadIdx.x, n * sizeof(float));
}
__global__ void clear(float* out) {
  memset(out + 8 * threadIdx.x, 0, 32);
}

template <class Launch>
void check_traffic(Launch launch, unsigned loads, unsigned stores) {
  const Memory memory;
  const emulator::Traffic traffic = traffic_of([&] { launch(memory.in, memory.out); });
  CHECK(traffic.global_load_requests == loads);
  CHECK(traffic.global_store_requests == stores);
}

}  // namespace

TEST_CASE("memcpy and memset in a kernel are counted byte by byte, whatever their sizes") {
  check_traffic([](float* in, float* out) { load<1><<<1, 32>>>(in, out); }, 4, 1);
  check_traffic([](float* in, float* out) { load<3><<<1, 32>>>(in, out); }, 12, 1);
  check_traffic([](float* in, float* out) { load<4><<<1, 32>>>(in, out); }, 16, 1);
  check_traffic([](float* in, float* out) { load<5><<<1, 32>>>(in, out); }, 20, 1);
  check_traffic([](float* in, float* out) { load<64><<<1, 32>>>(in, out); }, 256, 1);
  check_traffic([](float*, float* out) { store<<<1, 32>>>(out); }, 0, 12);
  check_traffic([](float* in, float* out) { both<<<1, 32>>>(in, out); }, 20, 20);
  check_traffic([](float* in, float* out) { any_size<<<1, 32>>>(in, out, 7); }, 28, 28);
  check_traffic([](float*, float* out) { clear<<<1, 32>>>(out); }, 0, 32);
}

TEST_CASE("memcpy and memset in a kernel copy and set") {
  const Memory memory;
  float out[160];
  any_size<<<1, 32>>>(memory.in, memory.out, 5);
  REQUIRE(cudaMemcpy(out, memory.out, sizeof out, cudaMemcpyDefault) == cudaSuccess);
  for (const float value : out) CHECK(reinterpret_cast<const int&>(value) == 0x01010101);
  clear<<<1, 1>>>(memory.out);
  REQUIRE(cudaMemcpy(out, memory.out, sizeof out, cudaMemcpyDefault) == cudaSuccess);
  CHECK(out[7] == 0);
  CHECK(out[8] != 0);
}
