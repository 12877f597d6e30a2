#pragma once
/// \file
/// The kernel that multiplies the tiles of a series, and digests what comes out.

#include <cuda_runtime.h>

#include <cstdint>

#include "group_operands.cuh"
#include "group_series.cuh"

namespace matrices {

constexpr unsigned rows = 64;  ///< of A and D

inline __device__ void set_word(float& sum, std::uint32_t word) {
  sum = __uint_as_float(word);
}
inline __device__ void set_word(std::uint32_t& sum, std::uint32_t word) {
  sum = word;
}
inline __device__ std::uint32_t word_of(float sum) {
  return __float_as_uint(sum);
}
inline __device__ std::uint32_t word_of(std::uint32_t sum) {
  return sum;
}

// Of shared memory, for all steps there may be.
template <class S>
constexpr unsigned bytes_of_a = S::form.has_a_in_registers ? 0 : rows* most_steps* bytes_of_step;
template <class S>
constexpr unsigned bytes_of_b = S::n* most_steps* bytes_of_step;

// A block has a tile. Its digest is a sum of one for each result, so that the threads' order does
// not matter. Results themselves are stored of as many tiles as there is memory for.
template <class S>
__global__ void __launch_bounds__(128)
    group_products(unsigned long long* digests, std::uint32_t* results, unsigned results_of,
                   unsigned series, unsigned first) {
  constexpr unsigned element = bits_in(S::a_format) / 8;
  constexpr unsigned k = bytes_of_step / element;
  constexpr unsigned packed = bits_in(S::d_format) == 16 ? 2 : 1;
  // Swizzles go by the address: a tile begins at a multiple of 1,024 bytes.
  extern __shared__ __align__(1024) unsigned char tiles[];
  unsigned char* const a_tile = tiles;
  unsigned char* const b_tile = tiles + bytes_of_a<S>;
  const unsigned tile = first + blockIdx.x;
  const GroupChoice choice = choice_of(series, tile);
  const Placement a_place =
      placement_of(choice.a_width, choice.is_a_across, S::form.turns_a, rows, element);
  const Placement b_place =
      placement_of(choice.b_width, choice.is_b_across, S::form.turns_b, S::n, element);
  const Element of_a{series, tile, Matrix::a, 0, 0};
  if constexpr (!S::form.has_a_in_registers) {
    fill_shared(a_tile, a_place, k * S::steps, of_a, S::a_format);
  }
  fill_shared(b_tile, b_place, k * S::steps, {series, tile, Matrix::b, 0, 0}, S::b_format);

  std::uint32_t a[S::steps][4] = {};
  typename S::Sum d[most_sums] = {};
#pragma unroll
  for (unsigned step = 0; S::form.has_a_in_registers && step < S::steps; ++step) {
    fill_registers<element>(a[step], step * k, of_a, S::a_format);
  }
  // What is computed for each register is in loops that stay loops, for the compilers' sake; only
  // what names registers is not.
  std::uint32_t words[S::count] = {};
#pragma unroll 1
  for (unsigned i = 0; i < S::count * packed; ++i) {
    const GroupPlace place = place_in_d(i);
    const std::uint64_t bits =
        bits_of({series, tile, Matrix::c, place.row, place.column}, S::d_format);
    words[i / packed] |= static_cast<std::uint32_t>(bits) << (16 * (i % packed));
  }
#pragma unroll
  for (unsigned i = 0; i < S::count; ++i) set_word(d[i], words[i]);
  std::uint64_t a_at[S::steps];
  std::uint64_t b_at[S::steps];
#pragma unroll
  for (unsigned step = 0; step < S::steps; ++step) {
    a_at[step] = descriptor(a_tile, a_place, step * k);
    b_at[step] = descriptor(b_tile, b_place, step * k);
  }
  // The operands were written by threads, and are read by the tensor core, another way.
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (unsigned step = 0; step < S::steps; ++step) {
    S::multiply(d, a_at[step], a[step], b_at[step], choice.adds || step > 0 ? 1 : 0);
  }
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

#pragma unroll
  for (unsigned i = 0; i < S::count; ++i) words[i] = word_of(d[i]);
  unsigned long long digest = 0;
#pragma unroll 1
  for (unsigned i = 0; i < S::count * packed; ++i) {
    const GroupPlace place = place_in_d(i);
    const std::uint32_t word = words[i / packed];
    const std::uint32_t result = packed == 1 ? word : word >> (16 * (i % packed)) & 0xFFFFU;
    const unsigned at = place.row * S::n + place.column;
    digest += mixed(static_cast<std::uint64_t>(at) << 32 | result);
    if (blockIdx.x < results_of) results[blockIdx.x * rows * S::n + at] = result;
  }
  atomicAdd(&digests[blockIdx.x], digest);
}

}  // namespace matrices
