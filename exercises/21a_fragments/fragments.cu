// Exercise 21a: which lane has which number of a fragment? An experiment finds it out.
//
// TODO in find_places(), as README.md beside this file says; nowhere else. Then:
// ./course check 21a

#include <cuda_fp16.h>

#include <cstdint>

#include "check.hpp"
#include "instructions.hpp"

// ---------------------------------------------------------------- given: the tensor core

// C += A B, of 16 x 8 floats, 16 x 8 halves and 8 x 8 halves. A lane has two words of A, each of
// two halves, one word of B, and four floats of C.
using FragmentA = std::uint32_t[2];
using FragmentB = std::uint32_t[1];
using FragmentC = float[4];

// A word of two halves, the lower one first.
__device__ std::uint32_t word(float lower, float upper) {
  return __half_as_ushort(__float2half(lower)) |
         static_cast<std::uint32_t>(__half_as_ushort(__float2half(upper))) << 16;
}

// This tensor core has its lanes in an order of its own: lane l does what lane l ^ order does with
// others. The order is not known beforehand; 0 is that of the hardware.
__device__ std::uint32_t reordered(std::uint32_t bits, int order) {
  return __shfl_xor_sync(0xFFFFFFFFU, bits, order);
}

__device__ void load_A(FragmentA& a, const __half (&A)[16][8], int order) {
  const int lane = threadIdx.x;
  load_two(a, &A[lane % 16][0]);
  for (std::uint32_t& bits : a) bits = reordered(bits, order);
}

__device__ void load_B(FragmentB& b, const __half (&B)[8][8], int order) {
  const int lane = threadIdx.x;
  load_one_transposed(b, &B[lane % 8][0]);
  b[0] = reordered(b[0], order);
}

__device__ void multiply(FragmentC& c, const FragmentA& a, const FragmentB& b, int order) {
  const std::uint32_t a0 = reordered(a[0], order);
  const std::uint32_t a1 = reordered(a[1], order);
  const std::uint32_t b0 = reordered(b[0], order);
  for (float& sum : c) sum = __uint_as_float(reordered(__float_as_uint(sum), order));
  multiply_add(c, a0, a1, b0);
  for (float& sum : c) sum = __uint_as_float(reordered(__float_as_uint(sum), order));
}

// ---------------------------------------------------------------- yours

// One warp. Says where each element is:
//   C_place[8 i + j] = 4 lane + register, for C(i, j)
//   A_place[8 i + p] = 4 lane + 2 register + half, for A(i, p): half 0 is the lower one of the word
//   B_place[8 p + j] = 2 lane + half, for B(p, j)
__global__ void find_places(int* C_place, int* A_place, int* B_place, int order) {
  alignas(16) __shared__ __half A[16][8];
  alignas(16) __shared__ __half B[8][8];
  const int lane = threadIdx.x;
  // TODO (35 lines), three products:
  // 1. A and B such that each element of their product is another whole number. A lane sees by its
  //    sums which elements it has.
  // 2. A's words hold numbers that say whose they are, and B is the identity.
  // 3. B's word does, and A is the identity above zeros.
  static_cast<void>(lane);
  static_cast<void>(&A[0][0]);
  static_cast<void>(&B[0][0]);
  static_cast<void>(C_place);
  static_cast<void>(A_place);
  static_cast<void>(B_place);
  static_cast<void>(order);
}

// All pointers are to device memory: 128, 128 and 64 places. order is 0 to 31.
void launch_find_places(int* C_place, int* A_place, int* B_place, int order) {
  find_places<<<1, 32>>>(C_place, A_place, B_place, order);
  CUDA_CHECK_LAUNCH();
}
