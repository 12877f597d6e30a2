/// @file
/// Chapter 28: attention in one kernel, by plain floats: an online softmax over tiles of keys.
#pragma once

#include "problem.hpp"

namespace attention {

constexpr int online_rows = 32;  ///< queries of a block, and keys of a tile
constexpr int online_threads = 4 * online_rows;

/// A block's shared memory. Rows are a bit longer, so that what a warp accesses at once is in
/// different banks.
template <int size>
struct OnlineTiles {
  float Q[online_rows][size + 1];
  float K[online_rows][size + 1];
  float V[online_rows][size + 1];
  float powers[online_rows][online_rows + 4];
};

/// Four threads share a row: each has every fourth key, and every fourth column of O.
template <int size>
__global__ void __launch_bounds__(online_threads) attention_online(const Problem p) {
  extern __shared__ float numbers[];
  auto& tiles = *reinterpret_cast<OnlineTiles<size>*>(numbers);
  const int head = static_cast<int>(blockIdx.y);
  const int first = online_rows * static_cast<int>(blockIdx.x);
  const int row = static_cast<int>(threadIdx.x) / 4;
  const int quarter = static_cast<int>(threadIdx.x) % 4;
  const auto load = [&](float(&tile)[online_rows][size + 1], const Bf16* from, int rows) {
    for (int i = static_cast<int>(threadIdx.x); i < online_rows * size; i += online_threads) {
      tile[i / size][i % size] = i / size < rows ? __bfloat162float(from[i]) : 0.0F;
    }
  };
  load(tiles.Q, p.Q + (p.query_row(head) + first) * size, p.queries - first);
  float o[size / 4] = {};
  float max = -INFINITY, sum = 0.0F;
  const float scale = p.scale * log2_e;
  const int seen = p.keys_of(first + row);
  const int keys = p.keys_of(min(first + online_rows, p.queries) - 1);
  for (int key = 0; key < keys; key += online_rows) {
    __syncthreads();  // the tiles before have been read
    const std::int64_t at = (p.key_row(head) + key) * size;
    load(tiles.K, p.K + at, p.keys - key);
    load(tiles.V, p.V + at, p.keys - key);
    __syncthreads();
    float s[online_rows / 4];
    float newest = max;
#pragma unroll
    for (int j = 0; j < online_rows / 4; ++j) {
      s[j] = 0.0F;
      for (int x = 0; x < size; ++x) s[j] += tiles.Q[row][x] * tiles.K[4 * j + quarter][x];
      if (key + 4 * j + quarter >= seen) s[j] = -INFINITY;
      newest = fmaxf(newest, s[j]);
    }
    newest = quad_max(newest);
    // What was summed up so far was relative to the maximum before.
    const float factor = max == -INFINITY ? 0.0F : ex2((max - newest) * scale);
    const float base = newest == -INFINITY ? 0.0F : newest;
    max = newest;
    sum *= factor;
#pragma unroll
    for (float& value : o) value *= factor;
#pragma unroll
    for (int j = 0; j < online_rows / 4; ++j) {
      const float power = ex2((s[j] - base) * scale);
      sum += power;
      tiles.powers[row][4 * j + quarter] = power;
    }
    __syncwarp();  // a row's powers are for its four threads only
    for (int j = 0; j < online_rows; ++j) {
#pragma unroll
      for (int c = 0; c < size / 4; ++c) o[c] += tiles.powers[row][j] * tiles.V[j][4 * c + quarter];
    }
  }
  sum = quad_sum(sum);
  const int query = first + row;
  if (query >= p.queries) return;
  const bool none = sum == 0.0F;
#pragma unroll
  for (int c = 0; c < size / 4; ++c) {
    p.O[(p.query_row(head) + query) * size + 4 * c + quarter] =
        __float2bfloat16(none ? 0.0F : o[c] / sum);
  }
  if (quarter == 0 && p.logs != nullptr) {
    p.logs[p.query_row(head) + query] = none ? -INFINITY : max * p.scale + logf(sum);
  }
}

}  // namespace attention
