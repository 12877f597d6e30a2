/// @file
/// Chapter 28: attention by mma.sync. A warp has 16 queries; the block's four warps share tiles of
/// 64 keys in shared memory. And, of the same parts, the products of the three kernels.
#pragma once

#include <cuda_pipeline.h>

#include "problem.hpp"
#include "tensor_cores/mma.hpp"

namespace attention {

constexpr int warp_rows = 64;  ///< queries of a block, and keys of a tile
constexpr int warp_threads = 128;

/// Where a piece of 16 bytes of a tile is: with its place in the row swizzled, neither those who
/// copy nor those who load fragments meet in a bank.
template <int size>
__device__ int piece_place(int row, int piece) {
  return row * size * 2 + (piece ^ row % 8) * 16;
}

/// Starts the copy of 64 rows to a tile. Rows that do not exist become zeros.
template <int size>
__device__ void copy_rows(unsigned char* tile, const Bf16* from, std::int64_t pitch, int rows) {
  constexpr int pieces = size / 8;  // of a row
  for (int i = static_cast<int>(threadIdx.x); i < 64 * pieces; i += warp_threads) {
    const int row = i / pieces, piece = i % pieces;
    const bool there = row < rows;
    __pipeline_memcpy_async(tile + piece_place<size>(row, piece),
                            from + (there ? row * pitch : 0) + (there ? piece * 8 : 0), 16,
                            there ? 0 : 16);
  }
}

/// A warp's 16 rows of a tile as left operands.
template <int size>
__device__ void load_left(tensor::FragmentA (&a)[size / 16], const unsigned char* tile, int row) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int k = 0; k < size / 16; ++k) {
    tensor::load_matrices(a[k], tile + piece_place<size>(row + lane % 16, 2 * k + lane / 16));
  }
}

/// S = Q Kᵀ, of 16 queries and 64 keys.
template <int size>
__device__ void warp_scores(float (&s)[32], const tensor::FragmentA (&q)[size / 16],
                            const unsigned char* K) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  auto& sums = reinterpret_cast<tensor::FragmentC(&)[8]>(s);
#pragma unroll
  for (float& sum : s) sum = 0.0F;
#pragma unroll
  for (int k = 0; k < size / 16; ++k) {
#pragma unroll
    for (int n = 0; n < 4; ++n) {  // 16 keys each
      std::uint32_t b[4];
      tensor::load_matrices(
          b, K + piece_place<size>(16 * n + lane % 8 + lane / 16 * 8, 2 * k + lane / 8 % 2));
      tensor::multiply(tensor::Bf16{}, sums[2 * n], q[k], {b[0], b[1]});
      tensor::multiply(tensor::Bf16{}, sums[2 * n + 1], q[k], {b[2], b[3]});
    }
  }
}

/// O += P V, of 16 queries and 64 keys.
template <int size>
__device__ void warp_values(float (&o)[size / 2], const tensor::FragmentA (&p)[4],
                            const unsigned char* V) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  auto& sums = reinterpret_cast<tensor::FragmentC(&)[size / 8]>(o);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
#pragma unroll
    for (int n = 0; n < size / 16; ++n) {
      std::uint32_t b[4];
      tensor::load_matrices_transposed(
          b, V + piece_place<size>(16 * k + lane % 16, 2 * n + lane / 16));
      tensor::multiply(tensor::Bf16{}, sums[2 * n], p[k], {b[0], b[1]});
      tensor::multiply(tensor::Bf16{}, sums[2 * n + 1], p[k], {b[2], b[3]});
    }
  }
}

/// A block has 64 queries of a head: those with the most keys come first. Two stages: while a tile
/// of keys is multiplied, the next one is copied.
template <int size>
__global__ void __launch_bounds__(warp_threads) attention_by_warps(const Problem p) {
  extern __shared__ __align__(128) unsigned char memory[];
  constexpr int tile = 64 * size * 2;
  unsigned char* const K = memory;  // two tiles
  unsigned char* const V = memory + 2 * tile;
  const int head = static_cast<int>(blockIdx.y);
  const int down = static_cast<int>(p.causal ? gridDim.x - 1 - blockIdx.x : blockIdx.x);
  const int first = down * warp_rows;
  const int row = first + 16 * static_cast<int>(threadIdx.x / 32);

  copy_rows<size>(K, p.Q + (p.query_row(head) + first) * size, size, p.queries - first);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  tensor::FragmentA q[size / 16];
  load_left<size>(q, K, row - first);
  __syncthreads();

  const int keys = p.keys_of(min(first + warp_rows, p.queries) - 1);
  const auto prefetch = [&](int key, int stage) {
    if (key < keys) {
      const std::int64_t at = (p.key_row(head) + key) * size;
      copy_rows<size>(K + stage * tile, p.K + at, size, p.keys - key);
      copy_rows<size>(V + stage * tile, p.V + at, size, p.keys - key);
    }
    __pipeline_commit();  // a group per step, even if it is empty
  };
  float o[size / 2] = {};
  OnlineSoftmax softmax;
  const float scale = p.scale * log2_e;
  prefetch(0, 0);
  for (int key = 0, stage = 0; key < keys; key += 64, stage ^= 1) {
    prefetch(key + 64, stage ^ 1);
    __pipeline_wait_prior(1);
    __syncthreads();
    float s[32];
    warp_scores<size>(s, q, K + stage * tile);
    if (key + 64 > min(p.keys_of(row), p.keys)) mask(s, p, row, key);
    softmax.powers(s, scale);
    softmax.rescale(o);
    tensor::FragmentA powers[4];
    pack(reinterpret_cast<std::uint32_t(&)[16]>(powers), s);
    warp_values<size>(o, powers, V + stage * tile);
    __syncthreads();  // this stage may be overwritten
  }
  const float2 logs = softmax.finish(o, scale);
  write_rows(o, logs, p, head, row);
}

// ---------------------------------------------------------------- three kernels

/// The matrices between the kernels, of all heads: scores as floats, powers as BF16. A row has room
/// for a multiple of 64 keys.
struct Between {
  float* scores;
  Bf16* powers;
  int pitch;  ///< of a row, in numbers

  __device__ std::int64_t at(const Problem& p, int head, int query) const {
    return (p.query_row(head) + query) * pitch;
  }
};

/// 64 x 64 scores per block.
template <int size>
__global__ void __launch_bounds__(warp_threads) all_scores(const Problem p, const Between between) {
  __shared__ __align__(128) unsigned char Q[64 * size * 2], K[64 * size * 2];
  const int key = 64 * static_cast<int>(blockIdx.x);
  const int first = 64 * static_cast<int>(blockIdx.y);
  const int head = static_cast<int>(blockIdx.z);
  copy_rows<size>(Q, p.Q + (p.query_row(head) + first) * size, size, p.queries - first);
  copy_rows<size>(K, p.K + (p.key_row(head) + key) * size, size, p.keys - key);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  tensor::FragmentA q[size / 16];
  const int in_tile = 16 * static_cast<int>(threadIdx.x / 32);
  load_left<size>(q, Q, in_tile);
  float s[32];
  warp_scores<size>(s, q, K);
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int i = 0; i < 32; i += 2) {
    const int row = first + in_tile + lane / 4 + i / 2 % 2 * 8;
    const int col = key + i / 4 * 8 + lane % 4 * 2;
    if (row >= p.queries) continue;
    *reinterpret_cast<float2*>(between.scores + between.at(p, head, row) + col) =
        make_float2(s[i], s[i + 1]);
  }
}

/// The softmax of a row per block: two passes, the first online.
template <int threads>
__global__ void __launch_bounds__(threads) all_powers(const Problem p, const Between between) {
  __shared__ float maxima[threads / 32], sums[threads / 32];
  const int query = static_cast<int>(blockIdx.x);
  const int head = static_cast<int>(blockIdx.y);
  const int thread = static_cast<int>(threadIdx.x);
  const float* const scores = between.scores + between.at(p, head, query);
  Bf16* const powers = between.powers + between.at(p, head, query);
  const float scale = p.scale * log2_e;
  const int keys = p.keys_of(query);
  const auto merged = [&](float max, float sum, float max_b, float sum_b) {
    const float both = fmaxf(max, max_b);
    const float base = both == -INFINITY ? 0.0F : both;
    return make_float2(both, sum * ex2((max - base) * scale) + sum_b * ex2((max_b - base) * scale));
  };
  float2 own = {-INFINITY, 0.0F};
  for (int j = thread; j < keys; j += threads) {
    const float score = scores[j];
    own = merged(own.x, own.y, score, 1.0F);
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    const float max = __shfl_xor_sync(0xFFFFFFFFU, own.x, distance);
    own = merged(own.x, own.y, max, __shfl_xor_sync(0xFFFFFFFFU, own.y, distance));
  }
  if (thread % 32 == 0) maxima[thread / 32] = own.x, sums[thread / 32] = own.y;
  __syncthreads();
  float2 all = {-INFINITY, 0.0F};
#pragma unroll
  for (int w = 0; w < threads / 32; ++w) all = merged(all.x, all.y, maxima[w], sums[w]);
  const bool none = all.y == 0.0F;
  const float inverse = none ? 0.0F : 1.0F / all.y;
  const float base = none ? 0.0F : all.x;
  for (int j = thread; j < between.pitch; j += threads) {
    const float power = j < keys ? ex2((scores[j] - base) * scale) * inverse : 0.0F;
    powers[j] = __float2bfloat16(power);
  }
  if (thread == 0 && p.logs != nullptr) {
    p.logs[p.query_row(head) + query] = none ? -INFINITY : all.x * p.scale + logf(all.y);
  }
}

/// 64 rows of O per block.
template <int size>
__global__ void __launch_bounds__(warp_threads) all_values(const Problem p, const Between between) {
  __shared__ __align__(128) unsigned char P[64 * 64 * 2], V[64 * size * 2];
  const int first = 64 * static_cast<int>(blockIdx.x);
  const int head = static_cast<int>(blockIdx.y);
  const int in_tile = 16 * static_cast<int>(threadIdx.x / 32);
  float o[size / 2] = {};
  for (int key = 0; key < p.keys; key += 64) {
    copy_rows<64>(P, between.powers + between.at(p, head, first) + key, between.pitch,
                  p.queries - first);
    copy_rows<size>(V, p.V + (p.key_row(head) + key) * size, size, p.keys - key);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    tensor::FragmentA powers[4];
    load_left<64>(powers, P, in_tile);
    warp_values<size>(o, powers, V);
    __syncthreads();
  }
  Problem without_logs = p;
  without_logs.logs = nullptr;
  write_rows(o, float2{}, without_logs, head, first + in_tile);
}

}  // namespace attention
