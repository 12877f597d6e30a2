// Products of warpgroups: which shared memory a matrix descriptor names. nvcc also compiles this
// file, for 90a.

#include <cuda_bf16.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "tests/kernel_test.hpp"

namespace {

// Core matrices, of 128 bytes, follow each other along k; two of them are eight rows.
constexpr std::uint64_t steps_of_matrix = (256ULL >> 4) << 32 | (128ULL >> 4) << 16;

__device__ std::uint64_t descriptor(const void* matrix) {
  return (__cvta_generic_to_shared(matrix) & 0x3FFFF) >> 4 | steps_of_matrix;
}

__device__ void wgmma_fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void wgmma_commit_and_wait() {
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

// The matrices are among the static arrays of enough kernels that, on the emulator, a descriptor's
// 18 bits of an address do not tell all of them apart. D = A B, of 64 rows, 8 columns and k 16,
// with `which` in A's rows beside their numbers, and ones in B.
constexpr unsigned kernels_with_arrays = 8;
constexpr unsigned bytes_of_arrays = 40 * 1024;

template <unsigned which>
__global__ void among_many(float* out) {
  __shared__ alignas(1024) unsigned char all[bytes_of_arrays];
  auto* const a = reinterpret_cast<__nv_bfloat16*>(all);
  auto* const b = reinterpret_cast<__nv_bfloat16*>(all + bytes_of_arrays - 256);
  for (unsigned i = threadIdx.x; i < 64 * 16; i += blockDim.x) {
    const unsigned row = i / 128 * 8 + i % 64 / 8;  // core matrices, two of each eight rows
    a[i] = static_cast<float>(row + which);
  }
  for (unsigned i = threadIdx.x; i < 8 * 16; i += blockDim.x) b[i] = 1.0F;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float d[4] = {};
  wgmma_fence();
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, "
      "0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(descriptor(a)), "l"(descriptor(b)));
  wgmma_commit_and_wait();
  const unsigned row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  for (unsigned i = 0; i < 4; ++i) {
    out[(row + i / 2 * 8) * 8 + threadIdx.x % 4 * 2 + i % 2] = d[i];
  }
}

template <unsigned which>
void check_among_many() {
  Shared<float> out(64 * 8);
  among_many<which><<<1, 128>>>(out.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  unsigned wrong = 0;
  for (unsigned i = 0; i < 64 * 8; ++i) {
    if (out[i] != 16 * static_cast<float>(i / 8 + which)) ++wrong;
  }
  CHECK(wrong == 0);
}

template <unsigned... which>
void check_each_among_many(std::integer_sequence<unsigned, which...> /*kernels*/) {
  (check_among_many<which>(), ...);
}

#ifdef CUDA_EMULATOR

// No GPU has so much shared memory for a block: a descriptor does not tell its arrays apart.
template <unsigned which>
__device__ std::uint64_t descriptor_of_array() {
  __shared__ alignas(1024) unsigned char all[bytes_of_arrays];
  return descriptor(all);
}

__device__ void multiply(std::uint64_t matrix) {
  float d[4] = {};
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %4, 0, 1, 1, 0, "
      "0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "l"(matrix));
}

template <unsigned... which>
__global__ void of_too_many(std::integer_sequence<unsigned, which...> /*arrays*/) {
  const std::uint64_t matrices[] = {descriptor_of_array<which>()...};
  wgmma_fence();
  for (const std::uint64_t matrix : matrices) multiply(matrix);
  wgmma_commit_and_wait();
}

__global__ void of_none() {
  wgmma_fence();
  multiply(steps_of_matrix);
  wgmma_commit_and_wait();
}

#endif

}  // namespace

TEST_CASE("wgmma: the kernels' static arrays take more than a descriptor's 18 bits") {
  check_each_among_many(std::make_integer_sequence<unsigned, kernels_with_arrays>());
}

#ifdef CUDA_EMULATOR
TEST_CASE("wgmma: what a descriptor's 18 bits may mean twice ends the launch") {
  emulator::set_checking(true);
  const std::string many = lines_found_in(
      [] { of_too_many<<<1, 128>>>(std::make_integer_sequence<unsigned, kernels_with_arrays>()); });
  CHECK(many.find("the block has the addresses of several at that place") != std::string::npos);
  const std::string none = lines_found_in([] { of_none<<<1, 128>>>(); });
  emulator::set_checking(false);
  CHECK(none.find("without an array whose address the block has") != std::string::npos);
}
#endif
