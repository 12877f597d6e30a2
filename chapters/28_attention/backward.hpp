/// @file
/// Chapter 28: the gradients of attention, by plain floats, from the logarithms that the forward
/// pass has written. Nothing of the size of the scores is stored here either.
#pragma once

#include "launch.hpp"

namespace attention {

/// What comes in and goes out besides a problem's Q, K, V, O and logs. Shapes are those of O, Q, K
/// and V.
struct Gradients {
  const Bf16* dO;
  Bf16* dQ;
  Bf16* dK;
  Bf16* dV;
  float* D;  ///< room for a number per query: the sum of dO times O
};

/// A lane per four numbers of a row, a warp per row.
template <int size>
__global__ void row_products(const Bf16* dO, const Bf16* O, float* D, int rows) {
  const int row = static_cast<int>(blockIdx.x) * 4 + static_cast<int>(threadIdx.x) / 32;
  if (row >= rows) return;
  float sum = 0.0F;
  for (int x = static_cast<int>(threadIdx.x) % 32; x < size; x += 32) {
    const std::int64_t at = std::int64_t{row} * size + x;
    sum += __bfloat162float(dO[at]) * __bfloat162float(O[at]);
  }
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFFU, sum, distance);
  }
  if (threadIdx.x % 32 == 0) D[row] = sum;
}

/// A block's shared memory: 32 rows that stay, two matrices of them, and 32 that come and go.
template <int size>
struct BackwardTiles {
  using Rows = float[online_rows][size + 1];
  Rows own[2], others[2];
  float powers[online_rows][online_rows + 4], slopes[online_rows][online_rows + 4];
};

/// 32 rows of a matrix as floats; those that do not exist are 0.
template <int size>
__device__ void load_rows(float (&tile)[online_rows][size + 1], const Bf16* from, int rows) {
  for (int i = static_cast<int>(threadIdx.x); i < online_rows * size; i += online_threads) {
    tile[i / size][i % size] = i / size < rows ? __bfloat162float(from[i]) : 0.0F;
  }
}

template <int size>
__device__ float dot_of(const float (&a)[size + 1], const float (&b)[size + 1]) {
  float sum = 0.0F;
  for (int x = 0; x < size; ++x) sum += a[x] * b[x];
  return sum;
}

/// A weight of the forward pass again: e^(score - log).
inline __device__ float weight_of(const Problem& p, float product, float log) {
  return ex2((product * p.scale - log) * log2_e);
}

/// dQ = scale dS K, where dS = P (dO Vᵀ - D). Four threads share a query, as in
/// attention_online().
template <int size>
__global__ void __launch_bounds__(online_threads)
    gradient_of_queries(const Problem p, const Gradients g) {
  extern __shared__ float numbers[];
  auto& tiles = *reinterpret_cast<BackwardTiles<size>*>(numbers);
  const int head = static_cast<int>(blockIdx.y);
  const int first = online_rows * static_cast<int>(blockIdx.x);
  const int row = static_cast<int>(threadIdx.x) / 4, quarter = static_cast<int>(threadIdx.x) % 4;
  const int query = first + row;
  const std::int64_t at = p.query_row(head) + first;
  load_rows<size>(tiles.own[0], p.Q + at * size, p.queries - first);
  load_rows<size>(tiles.own[1], g.dO + at * size, p.queries - first);
  const bool there = query < p.queries;
  const float log = there ? p.logs[at + row] : 0.0F;
  const float D = there ? g.D[at + row] : 0.0F;
  const int seen = there ? p.keys_of(query) : 0;
  const int keys = p.keys_of(min(first + online_rows, p.queries) - 1);
  float dq[size / 4] = {};
  for (int key = 0; key < keys; key += online_rows) {
    __syncthreads();  // the tiles before have been read
    const std::int64_t from = (p.key_row(head) + key) * size;
    load_rows<size>(tiles.others[0], p.K + from, p.keys - key);
    load_rows<size>(tiles.others[1], p.V + from, p.keys - key);
    __syncthreads();
    for (int j = quarter; j < online_rows; j += 4) {
      float slope = 0.0F;
      if (key + j < seen) {
        const float power = weight_of(p, dot_of<size>(tiles.own[0][row], tiles.others[0][j]), log);
        slope = power * (dot_of<size>(tiles.own[1][row], tiles.others[1][j]) - D);
      }
      tiles.slopes[row][j] = slope;
    }
    __syncwarp();
    for (int j = 0; j < online_rows; ++j) {
#pragma unroll
      for (int c = 0; c < size / 4; ++c) {
        dq[c] += tiles.slopes[row][j] * tiles.others[0][j][4 * c + quarter];
      }
    }
  }
  if (!there) return;
#pragma unroll
  for (int c = 0; c < size / 4; ++c) {
    g.dQ[(at + row) * size + 4 * c + quarter] = __float2bfloat16(p.scale * dq[c]);
  }
}

/// dV = Pᵀ dO and dK = scale dSᵀ Q. A block has 32 keys, and goes through all queries that see
/// them, of all heads that share these keys: so it needs no atomic operation.
template <int size>
__global__ void __launch_bounds__(online_threads)
    gradient_of_keys(const Problem p, const Gradients g) {
  extern __shared__ float numbers[];
  auto& tiles = *reinterpret_cast<BackwardTiles<size>*>(numbers);
  const int kv = static_cast<int>(blockIdx.y);
  const int first = online_rows * static_cast<int>(blockIdx.x);
  const int row = static_cast<int>(threadIdx.x) / 4, quarter = static_cast<int>(threadIdx.x) % 4;
  const std::int64_t at = std::int64_t{kv} * p.keys + first;
  load_rows<size>(tiles.own[0], p.K + at * size, p.keys - first);
  load_rows<size>(tiles.own[1], p.V + at * size, p.keys - first);
  const int group = p.heads / p.kv_heads;
  const int first_query = p.causal ? max(0, first + p.queries - p.keys) / online_rows : 0;
  float dk[size / 4] = {}, dv[size / 4] = {};
  for (int head = kv * group; head < (kv + 1) * group; ++head) {
    for (int query = first_query * online_rows; query < p.queries; query += online_rows) {
      __syncthreads();
      const std::int64_t from = p.query_row(head) + query;
      load_rows<size>(tiles.others[0], p.Q + from * size, p.queries - query);
      load_rows<size>(tiles.others[1], g.dO + from * size, p.queries - query);
      __syncthreads();
      for (int i = quarter; i < online_rows; i += 4) {
        float power = 0.0F, slope = 0.0F;
        if (query + i < p.queries && first + row < p.keys_of(query + i)) {
          power =
              weight_of(p, dot_of<size>(tiles.others[0][i], tiles.own[0][row]), p.logs[from + i]);
          slope = power * (dot_of<size>(tiles.others[1][i], tiles.own[1][row]) - g.D[from + i]);
        }
        tiles.powers[row][i] = power;
        tiles.slopes[row][i] = slope;
      }
      __syncwarp();
      for (int i = 0; i < online_rows; ++i) {
#pragma unroll
        for (int c = 0; c < size / 4; ++c) {
          dv[c] += tiles.powers[row][i] * tiles.others[1][i][4 * c + quarter];
          dk[c] += tiles.slopes[row][i] * tiles.others[0][i][4 * c + quarter];
        }
      }
    }
  }
  if (first + row >= p.keys) return;
#pragma unroll
  for (int c = 0; c < size / 4; ++c) {
    const std::int64_t to = (at + row) * size + 4 * c + quarter;
    g.dV[to] = __float2bfloat16(dv[c]);
    g.dK[to] = __float2bfloat16(p.scale * dk[c]);
  }
}

/// After a forward pass that has written O and logs.
template <int size>
void launch_backward(const Problem& p, const Gradients& g) {
  constexpr std::size_t bytes = sizeof(BackwardTiles<size>);
  const int rows = p.all_heads() * p.queries;
  if (rows > 0) {
    row_products<size><<<count_of(rows, 4), 128>>>(g.dO, p.O, g.D, rows);
    CUDA_CHECK_LAUNCH();
    allow_shared(gradient_of_queries<size>, bytes);
    const dim3 blocks(count_of(p.queries, online_rows), static_cast<unsigned>(p.all_heads()));
    gradient_of_queries<size><<<blocks, online_threads, bytes>>>(p, g);
    CUDA_CHECK_LAUNCH();
  }
  if (p.batches * p.kv_heads > 0 && p.keys > 0) {
    allow_shared(gradient_of_keys<size>, bytes);
    const dim3 blocks(count_of(p.keys, online_rows), static_cast<unsigned>(p.batches * p.kv_heads));
    gradient_of_keys<size><<<blocks, online_threads, bytes>>>(p, g);
    CUDA_CHECK_LAUNCH();
  }
}

}  // namespace attention
