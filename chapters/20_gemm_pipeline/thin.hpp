/// @file
/// Kernels for a C of a few rows or a few columns: then nearly all bytes are B's, or A's, and each
/// is used a few times only. What counts is that memory never waits (as for SGEMV, chapters 05 to
/// 07): each number is loaded once, by a warp whose lanes are side by side, and each thread has
/// many loads in flight. Loads of 4 bytes accept rows that begin anywhere.
///
/// Blocks also share the terms. Their partial sums go to memory, and a second kernel adds them up.
#pragma once

#include "early.hpp"
#include "tiles.hpp"

namespace ours {

constexpr int most_thin = 8;           ///< rows, or columns, of a C that is thin
constexpr int thin_row_threads = 128;  ///< of a block for a few rows: as many columns
constexpr int thin_chunk = 128;        ///< terms of A in shared memory at a time
constexpr int thin_col_threads = 256;  ///< of a block for a few columns: a warp for each four rows
constexpr int thin_col_rows = thin_col_threads / 32 * 4;
constexpr int thin_col_chunk = 256;  ///< terms of B in shared memory at a time

/// A sum of a piece of the terms: to C if the piece is all, else to `parts`: for each piece as many
/// as C has.
inline __device__ void write_thin(const Product& g, float* parts, int row, int col, float sum) {
  if (gridDim.y > 1) {
    parts[(std::int64_t{blockIdx.y} * g.m + row) * g.n + col] = sum;
    return;
  }
  float* c = g.C + row * g.ldc + col;
  *c = g.beta != 0.0F ? g.alpha * sum + g.beta * *c : g.alpha * sum;
}

/// A few rows: a thread has a column, with a sum for each row. B is loaded row by row.
/// @tparam rows at least m
/// @param depth terms of a piece; block (x, y) has columns x and piece y
template <int rows>
__global__ void __launch_bounds__(thin_row_threads)
    gemm_few_rows(const Product g, float* parts, int depth) {
  __shared__ alignas(16) float a[thin_chunk][rows];
  const int col = blockIdx.x * thin_row_threads + threadIdx.x;
  const int begin = blockIdx.y * depth;
  const int end = min(begin + depth, g.k);
  float sum[rows] = {};
  for (int first = begin; first < end; first += thin_chunk) {
    __syncthreads();  // all have read the previous chunk
    for (int i = threadIdx.x; i < rows * thin_chunk; i += thin_row_threads) {
      const int row = i / thin_chunk;
      const int p = i % thin_chunk;
      a[p][row] = row < g.m && first + p < end ? g.A[row * g.lda + first + p] : 0.0F;
    }
    __syncthreads();
    if (col >= g.n) continue;
    const float* b = g.B + first * g.ldb + col;
    const int here = min(thin_chunk, end - first);
    constexpr int at_once = 16;  // loads in flight
    for (int p = 0; p < here; p += at_once) {
      float numbers[at_once];
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        numbers[i] = p + i < here ? __ldcs(b) : 0.0F;
        b += g.ldb;
      }
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
#pragma unroll
        for (int row = 0; row < rows; ++row) sum[row] += a[p + i][row] * numbers[i];
      }
    }
  }
  launch_dependents();
  if (col >= g.n) return;
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    if (row < g.m) write_thin(g, parts, row, col, sum[row]);
  }
}

/// A few columns: a warp has four rows of A, and its lanes share their terms.
/// @tparam cols at least n
/// @param depth as for gemm_few_rows()
template <int cols>
__global__ void __launch_bounds__(thin_col_threads)
    gemm_few_cols(const Product g, float* parts, int depth) {
  constexpr int rows = 4;
  __shared__ float b[cols][thin_col_chunk];
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * thin_col_rows + threadIdx.x / 32 * rows;
  const int begin = blockIdx.y * depth;
  const int end = min(begin + depth, g.k);
  const float* a[rows];
#pragma unroll
  for (int i = 0; i < rows; ++i) a[i] = g.A + min(row + i, g.m - 1) * g.lda + lane;
  float sum[rows][cols] = {};
  for (int first = begin; first < end; first += thin_col_chunk) {
    const int here = end - first;
    float numbers[thin_col_chunk / 32][rows];
#pragma unroll
    for (int p = 0; p < thin_col_chunk / 32; ++p) {
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        numbers[p][i] = lane + 32 * p < here ? __ldcs(a[i] + first + 32 * p) : 0.0F;
      }
    }
    __syncthreads();  // all have read the previous chunk
    for (int i = threadIdx.x; i < cols * thin_col_chunk; i += thin_col_threads) {
      const int p = i / cols;
      const int col = i % cols;
      b[col][p] = col < g.n && p < here ? g.B[(first + p) * g.ldb + col] : 0.0F;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < thin_col_chunk / 32; ++p) {
#pragma unroll
      for (int col = 0; col < cols; ++col) {
        const float number = b[col][lane + 32 * p];
#pragma unroll
        for (int i = 0; i < rows; ++i) sum[i][col] += numbers[p][i] * number;
      }
    }
  }
  launch_dependents();
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int col = 0; col < cols; ++col) {
      float total = sum[i][col];
#pragma unroll
      for (int distance = 16; distance > 0; distance /= 2) {
        total += __shfl_xor_sync(0xFFFFFFFFU, total, distance);
      }
      if (lane == 0 && row + i < g.m && col < g.n) write_thin(g, parts, row + i, col, total);
    }
  }
}

/// Adds up the pieces of each element: 32 elements per block, and eight warps that each have every
/// eighth piece.
static __global__ void __launch_bounds__(256)
    add_pieces(const Product g, const float* parts, int pieces) {
  constexpr int warps = 8;
  __shared__ float sums[warps][32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const std::int64_t count = std::int64_t{g.m} * g.n;
  const std::int64_t element = std::int64_t{blockIdx.x} * 32 + lane;
  wait_for_dependencies();
  float sum = 0.0F;
#pragma unroll 8
  for (int p = warp; element < count && p < pieces; p += warps) {
    sum += __ldcg(parts + p * count + element);
  }
  sums[warp][lane] = sum;
  __syncthreads();
  if (warp > 0 || element >= count) return;
#pragma unroll
  for (int other = 1; other < warps; ++other) sum += sums[other][lane];
  float* c = g.C + element / g.n * g.ldc + element % g.n;
  *c = g.beta != 0.0F ? g.alpha * sum + g.beta * *c : g.alpha * sum;
}

/// The grid for a thin C: blocks side by side, and pieces of the terms.
struct ThinGrid {
  int blocks;
  int depth;  ///< terms of a piece
  int pieces;
};

/// Whether C has few rows, and not rather few columns.
inline bool has_few_rows(const Product& g) {
  return g.m <= most_thin && g.n >= g.m;
}

/// About eight blocks of a few rows per multiprocessor, or four of a few columns.
/// @param floats room for partial sums
inline ThinGrid thin_grid(const Product& g, int processors, std::size_t floats) {
  const bool rows = has_few_rows(g);
  const int blocks = rows ? (g.n - 1) / thin_row_threads + 1 : (g.m - 1) / thin_col_rows + 1;
  const int chunk = rows ? thin_chunk : thin_col_chunk;
  const int wanted = std::max(1, (rows ? 8 : 4) * processors / blocks);
  const auto room = static_cast<std::int64_t>(floats) / (std::int64_t{g.m} * g.n);
  const int most = static_cast<int>(std::clamp<std::int64_t>(room, 1, 65535));
  const int chunks = (g.k - 1) / chunk + 1;
  const int depth = (chunks - 1) / std::min({wanted, most, chunks}) + 1;
  return {blocks, depth * chunk, (chunks - 1) / depth + 1};
}

/// @param g one of its extents m and n is at most `most_thin`, and none is 0
template <int few = 1>
void launch_thin(const Product& g, const ThinGrid& grid, float* parts) {
  const int extent = has_few_rows(g) ? g.m : g.n;
  if constexpr (few < most_thin) {
    if (extent > few) return launch_thin<2 * few>(g, grid, parts);
  }
  const dim3 blocks(grid.blocks, grid.pieces);
  if (has_few_rows(g)) {
    gemm_few_rows<few><<<blocks, thin_row_threads>>>(g, parts, grid.depth);
  } else {
    gemm_few_cols<few><<<blocks, thin_col_threads>>>(g, parts, grid.depth);
  }
  CUDA_CHECK_LAUNCH();
  if (grid.pieces == 1) return;
  const std::int64_t count = std::int64_t{g.m} * g.n;
  launch<Product, const float*, int>(true, add_pieces, static_cast<unsigned>((count - 1) / 32 + 1),
                                     256, 0, g, parts, grid.pieces);
}

}  // namespace ours
