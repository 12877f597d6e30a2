// Traffic: requests, sectors, wavefronts and conflicts of patterns whose counts are known, most of
// them measured with Nsight Compute on an H200.

#include <cuda_pipeline.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "emulator/traffic.h"
#include "observers/traffic/banks.hpp"
#include "tests/kernel_test.hpp"

namespace {

struct Memory {
  Memory() {
    REQUIRE(cudaMalloc(&in, bytes) == cudaSuccess);
    REQUIRE(cudaMalloc(&out, bytes) == cudaSuccess);
    REQUIRE(cudaMemset(in, 0, bytes) == cudaSuccess);
  }
  ~Memory() {
    cudaFree(in);
    cudaFree(out);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  static constexpr size_t bytes = 1 << 22;
  char* in = nullptr;
  char* out = nullptr;
};

// One warp loads element `lane * stride + offset` and stores it at `lane`.
template <class T>
__global__ void strided(const char* in, char* out, int stride, int offset) {
  const T value = reinterpret_cast<const T*>(in)[threadIdx.x * stride + offset];
  reinterpret_cast<T*>(out)[threadIdx.x] = value;
}

template <class T>
emulator::Traffic strided_traffic(int stride, int offset) {
  const Memory memory;
  return traffic_of([&] { strided<T><<<1, 32>>>(memory.in, memory.out, stride, offset); });
}

}  // namespace

TEST_CASE("sectors of widths, strides and offsets") {
  CHECK(strided_traffic<float>(1, 0).global_load_requests == 1);
  CHECK(strided_traffic<float>(1, 0).global_load_sectors == 4);
  CHECK(strided_traffic<float>(1, 1).global_load_sectors == 5);
  CHECK(strided_traffic<float>(2, 0).global_load_sectors == 8);
  CHECK(strided_traffic<float>(8, 0).global_load_sectors == 32);
  CHECK(strided_traffic<float>(1000, 0).global_load_sectors == 32);
  CHECK(strided_traffic<float>(0, 3).global_load_sectors == 1);
  CHECK(strided_traffic<char>(1, 0).global_load_sectors == 1);
  CHECK(strided_traffic<double>(1, 0).global_load_sectors == 8);
  CHECK(strided_traffic<float2>(1, 0).global_load_sectors == 8);
  CHECK(strided_traffic<float4>(1, 0).global_load_requests == 1);
  CHECK(strided_traffic<float4>(1, 0).global_load_sectors == 16);
  CHECK(strided_traffic<float4>(1, 0).global_store_sectors == 16);
  const emulator::Traffic three = strided_traffic<float3>(1, 0);
  CHECK(three.global_load_requests == 3);
  CHECK(three.global_load_sectors == 36);
}

namespace {

__global__ void unequal_trips(const float* in, float* out) {
  float sum = 0;
  for (unsigned i = 0; i < threadIdx.x; ++i) sum += in[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

__global__ void skip_some(const float* in, float* out) {
  float sum = 0;
  for (int i = 0; i < 8; ++i) {
    if ((threadIdx.x + i) % 2 == 0) continue;
    sum += in[i * 32 + threadIdx.x];
  }
  out[threadIdx.x] = sum;
}

__global__ void half_and_half(const float* in, float* out) {
  float value = 0;
  if (threadIdx.x < 16) {
    value = in[threadIdx.x];
  } else {
    value = in[threadIdx.x + 64];
  }
  out[threadIdx.x] = value;
}

__device__ __attribute__((noinline)) float fetch(const float* in, int i) {
  return in[i];
}

__global__ void calls(const float* in, float* out) {
  float sum = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if (i <= threadIdx.x / 8) sum += fetch(in, i * 32 + threadIdx.x);
  }
  out[threadIdx.x] = sum;
}

}  // namespace

TEST_CASE("lanes that diverge come together again") {
  const Memory memory;
  const auto* const in = reinterpret_cast<const float*>(memory.in);
  auto* const out = reinterpret_cast<float*>(memory.out);
  // Trip i has the lanes above i: 31 requests; their sectors are those of lanes i + 1 … 31.
  auto traffic = traffic_of([&] { unequal_trips<<<1, 32>>>(in, out); });
  CHECK(traffic.global_load_requests == 31);
  unsigned sectors = 0;
  for (int i = 0; i < 31; ++i) sectors += 4 - (i + 1) / 8;
  CHECK(traffic.global_load_sectors == sectors);
  CHECK(traffic.global_store_requests == 1);

  traffic = traffic_of([&] { skip_some<<<1, 32>>>(in, out); });
  CHECK(traffic.global_load_requests == 8);
  CHECK(traffic.global_load_sectors == 32);
  CHECK(traffic.global_store_requests == 1);

  traffic = traffic_of([&] { half_and_half<<<1, 32>>>(in, out); });
  CHECK(traffic.global_load_requests == 2);
  CHECK(traffic.global_load_sectors == 4);
  CHECK(traffic.global_store_requests == 1);

  traffic = traffic_of([&] { calls<<<1, 32>>>(in, out); });
  CHECK(traffic.global_load_requests == 4);
  CHECK(traffic.global_load_sectors == 4 + 3 + 2 + 1);
}

namespace {}  // namespace

// Not in a namespace without a name: nothing writes it, and g++ would know.
__device__ float device_table[32];

namespace {

__constant__ float table[32];

__global__ void spaces(float* out, int n) {
  __shared__ float tile[32];
  float local[4] = {1, 2, 3, 4};
  local[n % 4] = table[n];
  tile[threadIdx.x] = local[n % 3];
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x] + device_table[threadIdx.x];
}

__global__ void count_up(int* counter) {
  atomicAdd(counter, 1);
}

}  // namespace

TEST_CASE("each memory space has its own counts") {
  const Memory memory;
  auto traffic = traffic_of([&] { spaces<<<1, 32>>>(reinterpret_cast<float*>(memory.out), 5); });
  CHECK(traffic.global_load_requests == 1);  // device_table; constant and local memory are apart
  CHECK(traffic.global_store_requests == 1);
  CHECK(traffic.shared_store_instructions == 1);
  CHECK(traffic.shared_load_instructions == 1);
  CHECK(traffic.shared_load_wavefronts == 1);
  CHECK(traffic.shared_load_bank_conflicts == 0);

  traffic = traffic_of([&] { count_up<<<1, 32>>>(reinterpret_cast<int*>(memory.out)); });
  CHECK(traffic.global_load_requests == 0);
  CHECK(traffic.global_store_requests == 0);
  CHECK(traffic.global_atomic_requests == 1);
  CHECK(traffic.global_atomic_sectors == 1);  // the compiler adds up the warp's first
}

namespace {

// What one atomic operation takes depends on what it is, on which lanes ask for its result, and on
// what the compiler can see of its address.
__global__ void atomics_in_global_memory(float* sum, int* count, int* bins, int* result) {
  const int i = threadIdx.x;
  atomicAdd(sum, 1.0f);                 // floats: each lane by itself
  atomicMax(count, i);                  // one lane for all
  result[i] = atomicMax(count + 1, i);  // the result is asked for
  atomicAdd(&bins[i / 8], 1);           // eight lanes per word
  atomicCAS(&bins[64 + i], 0, i);       // a word each
}
__global__ void atomics_in_shared_memory(const int* zero, int* result) {
  __shared__ int count, bins[1056];
  const int same = zero[threadIdx.x];
  atomicAdd(&count, same);                          // one lane for all
  atomicAdd(&bins[same], 1);                        // lanes are counted
  atomicAdd(&bins[same], 2);                        // one lane after the other
  result[threadIdx.x] = atomicAdd(&bins[same], 1);  // likewise
  atomicCAS(&bins[same + threadIdx.x], 0, 1);       // a bank each, twice
}
__global__ void float_atomics_in_shared_memory(const int* zero) {
  __shared__ float sums[64];
  atomicAdd(&sums[zero[threadIdx.x] + threadIdx.x / 2], 1.0f);  // a loop of two rounds
}

}  // namespace

TEST_CASE("atomics count as what the hardware makes of them") {
  const Memory memory;
  auto* const ints = reinterpret_cast<int*>(memory.out);
  cudaMemset(ints, 0, 4096);
  auto traffic = traffic_of([&] {
    atomics_in_global_memory<<<1, 32>>>(reinterpret_cast<float*>(memory.out), ints + 8, ints + 64,
                                        ints + 512);
  });
  CHECK(traffic.global_atomic_requests == 5);
  CHECK(traffic.global_atomic_sectors == 32 + 1 + 32 + 8 + 4);
  CHECK(traffic.global_atomic_ideal_sectors == 1 + 1 + 1 + 1 + 4);
  CHECK(traffic.global_atomic_bytes == 4 + 4 + 4 + 16 + 128);

  traffic = traffic_of([&] { atomics_in_shared_memory<<<1, 32>>>(ints + 768, ints + 512); });
  CHECK(traffic.shared_atomic_instructions == 5);
  CHECK(traffic.shared_atomic_wavefronts == 1 + 1 + 32 + 32 + 2);
  CHECK(traffic.shared_atomic_bank_conflicts == 31 + 31);
  CHECK(traffic.shared_load_instructions == 0);

  traffic = traffic_of([&] { float_atomics_in_shared_memory<<<1, 32>>>(ints + 768); });
  CHECK(traffic.shared_atomic_instructions == 2);
  CHECK(traffic.shared_atomic_wavefronts == 4);
  CHECK(traffic.shared_atomic_bank_conflicts == 0);
  CHECK(traffic.shared_load_instructions == 2);
  CHECK(traffic.shared_load_wavefronts == 2);
}

namespace {

// Wavefronts and conflicts of one instruction with lane t at element index(t).
template <class Index>
std::pair<unsigned, unsigned> shared_cost(unsigned bytes, bool store, Index index,
                                          std::uint32_t active = 0xFFFFFFFFU) {
  emulator::traffic::SharedRequest request;
  for (unsigned t = 0; t < 32; ++t) request.address[t] = std::uint64_t{index(t)} * bytes;
  request.active = active;
  request.bytes = bytes;
  request.is_store = store;
  const emulator::traffic::SharedCost cost = emulator::traffic::count_wavefronts(request);
  return {cost.wavefronts, cost.wavefronts - cost.groups};
}

using Cost = std::pair<unsigned, unsigned>;

}  // namespace

TEST_CASE("wavefronts and conflicts as measured on an H200") {
  // 16 bytes per lane
  CHECK(shared_cost(16, false, [](unsigned t) { return t; }) == Cost(4, 0));
  CHECK(shared_cost(16, false, [](unsigned t) { return t / 2; }) == Cost(2, 0));
  CHECK(shared_cost(16, false, [](unsigned t) { return t & ~2U; }) == Cost(4, 2));
  CHECK(shared_cost(16, false, [](unsigned) { return 0U; }) == Cost(2, 0));
  CHECK(shared_cost(16, false, [](unsigned t) { return t % 8; }) == Cost(4, 0));
  CHECK(shared_cost(16, false, [](unsigned t) { return 2 * t; }) == Cost(8, 4));
  CHECK(shared_cost(16, false, [](unsigned t) { return 8 * t; }) == Cost(32, 28));
  CHECK(shared_cost(16, false, [](unsigned t) { return t & ~3U; }) == Cost(4, 2));
  CHECK(shared_cost(16, false, [](unsigned t) { return t / 2 * 8; }) == Cost(16, 14));
  CHECK(shared_cost(16, false, [](unsigned t) { return t % 2; }) == Cost(2, 0));
  CHECK(shared_cost(
            16, false, [](unsigned t) { return t; }, 0x55555555U) == Cost(4, 2));
  CHECK(shared_cost(
            16, false, [](unsigned t) { return t; }, 0x0000FFFFU) == Cost(2, 0));
  CHECK(shared_cost(16, true, [](unsigned t) { return t / 2 * 8; }) == Cost(16, 12));
  // 8 bytes per lane
  CHECK(shared_cost(8, false, [](unsigned t) { return t; }) == Cost(2, 0));
  CHECK(shared_cost(8, false, [](unsigned t) { return t / 2; }) == Cost(1, 0));
  CHECK(shared_cost(8, false, [](unsigned t) { return t & ~2U; }) == Cost(2, 1));
  CHECK(shared_cost(8, false, [](unsigned t) { return t % 16; }) == Cost(2, 0));
  CHECK(shared_cost(8, false, [](unsigned t) { return 2 * t; }) == Cost(4, 2));
  CHECK(shared_cost(8, false, [](unsigned t) { return 16 * t; }) == Cost(32, 30));
  CHECK(shared_cost(8, false, [](unsigned t) { return t / 2 * 16; }) == Cost(16, 15));
  CHECK(shared_cost(8, true, [](unsigned t) { return t / 2 * 16; }) == Cost(16, 14));
  // 4 bytes per lane: the textbook's cases
  CHECK(shared_cost(4, false, [](unsigned t) { return t; }) == Cost(1, 0));
  CHECK(shared_cost(4, false, [](unsigned t) { return 32 * t; }) == Cost(32, 31));
  CHECK(shared_cost(4, false, [](unsigned t) { return 33 * t; }) == Cost(1, 0));
  CHECK(shared_cost(4, false, [](unsigned t) { return 2 * t; }) == Cost(2, 1));
  CHECK(shared_cost(4, true, [](unsigned) { return 7U; }) == Cost(1, 0));
}

namespace {

__global__ void long_loop(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[(i * 32 + threadIdx.x) % 4096];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace

TEST_CASE("long loops and many blocks: counts add up, and repeat") {
  const Memory memory;
  const auto* const in = reinterpret_cast<const float*>(memory.in);
  auto* const out = reinterpret_cast<float*>(memory.out);
  const auto first = traffic_of([&] { long_loop<<<7, 96>>>(in, out, 10'000); });
  CHECK(first.global_load_requests == 7 * 3 * 10'000);
  CHECK(first.global_load_sectors == 7 * 3 * 40'000);
  const auto second = traffic_of([&] { long_loop<<<7, 96>>>(in, out, 10'000); });
  CHECK(first == second);
}

namespace {

__device__ float sum_of(float4 a, float4 b) {
  return a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
}

__device__ float4 doubled(float4 a) {
  return make_float4(2 * a.x, 2 * a.y, 2 * a.z, 2 * a.w);
}

__global__ void by_value(const char* in, char* out) {
  const auto* const a = reinterpret_cast<const float4*>(in);
  auto* const b = reinterpret_cast<float4*>(out);
  const float sum = sum_of(a[threadIdx.x], a[threadIdx.x + 32]);
  b[threadIdx.x] = doubled(a[threadIdx.x + 64]);
  reinterpret_cast<float*>(out + 4096)[threadIdx.x] = sum;
}

}  // namespace

// g++ does not report what it copies from memory into a call, or from a call into memory; so small
// functions have to be inlined.
TEST_CASE("traffic: vectors passed by value and returned") {
  const Memory memory;
  const emulator::Traffic traffic = traffic_of([&] { by_value<<<1, 32>>>(memory.in, memory.out); });
  CHECK(traffic.global_load_requests == 3);
  CHECK(traffic.global_load_sectors == 3 * 16);
  CHECK(traffic.global_store_requests == 2);
  CHECK(traffic.global_store_sectors == 16 + 4);
}

namespace {

// One warp copies, lane t to the word t * stride of a tile.
template <int bytes>
__global__ void copies_to(const char* in, char* out, int stride) {
  __shared__ __align__(16) float tile[32 * 36];
  __pipeline_memcpy_async(&tile[threadIdx.x * stride], in + threadIdx.x * bytes, bytes);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  reinterpret_cast<float*>(out)[threadIdx.x] = tile[threadIdx.x * stride];
}

struct CopyCost {
  std::uint64_t wavefronts;
  std::uint64_t conflicts;
  bool operator==(const CopyCost&) const = default;
};

template <int bytes>
CopyCost copy_cost(int stride) {
  const Memory memory;
  const emulator::Traffic traffic =
      traffic_of([&] { copies_to<bytes><<<1, 32>>>(memory.in, memory.out, stride); });
  CHECK(traffic.global_load_requests == 1);
  CHECK(traffic.shared_store_instructions == 0);
  return {traffic.async_copy_wavefronts, traffic.async_copy_bank_conflicts};
}

}  // namespace

// Measured on an H200 with cp.async.ca:
// sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts and its bank conflicts.
TEST_CASE("asynchronous copies: what they write to shared memory takes a store's wavefronts") {
  CHECK(copy_cost<4>(1) == CopyCost{1, 0});
  CHECK(copy_cost<4>(2) == CopyCost{2, 1});
  CHECK(copy_cost<4>(8) == CopyCost{8, 7});
  CHECK(copy_cost<4>(32) == CopyCost{32, 31});
  CHECK(copy_cost<4>(33) == CopyCost{1, 0});
  CHECK(copy_cost<8>(2) == CopyCost{2, 0});
  CHECK(copy_cost<8>(4) == CopyCost{4, 2});
  CHECK(copy_cost<8>(16) == CopyCost{16, 14});
  CHECK(copy_cost<8>(32) == CopyCost{32, 30});
  CHECK(copy_cost<8>(34) == CopyCost{2, 0});
  CHECK(copy_cost<16>(4) == CopyCost{4, 0});
  CHECK(copy_cost<16>(8) == CopyCost{8, 4});
  CHECK(copy_cost<16>(16) == CopyCost{16, 12});
  CHECK(copy_cost<16>(32) == CopyCost{32, 28});
  CHECK(copy_cost<16>(36) == CopyCost{4, 0});
}
