/// @file
/// y = A x with A row-major: one kernel for rows of medium length, one for long rows and one for
/// very short ones.
#pragma once

#include <cstddef>

#include "chunk.hpp"
#include "last_block.hpp"
#include "rolling.hpp"

namespace ours {

using course::chunk_floats;
using course::dot;
using course::warp;

/// Loads of a row that a thread has in flight.
template <class Chunk>
constexpr int chunks_ahead = sizeof(Chunk) == sizeof(float4) ? 4 : 16;

/// The sum over `lanes` threads, all of one warp; every one of them gets it.
template <int lanes>
__device__ float sum_of_lanes(float value) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFFU, value, distance);
  }
  return value;
}

// ---------------------------------------------------------------- rows of medium length

/// Threads of a block in which each row has `lanes` threads.
constexpr int block_of(int lanes) {
  return lanes > warp ? lanes : 128;
}

/// The sum over a row's threads, in the first of them. More than a warp means the whole block.
template <int lanes>
__device__ float row_sum(float value) {
  value = sum_of_lanes<(lanes < warp ? lanes : warp)>(value);
  if constexpr (lanes > warp) {
    __shared__ float sums[lanes / warp];
    if (threadIdx.x % warp == 0) sums[threadIdx.x / warp] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int w = 1; w < lanes / warp; ++w) value += sums[w];
    }
  }
  return value;
}

/// y = A x, A of m x n row-major. A block has blockDim.y rows, and blockDim.x = lanes threads for
/// each.
template <class Chunk, int lanes>
__global__ void __launch_bounds__(block_of(lanes))
    sgemv_row_major(const float* A, const float* x, float* y, int m, int n) {
  constexpr int ahead = chunks_ahead<Chunk>;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  // A thread without a row works on the last one and drops the result: it must take part in the
  // shuffles.
  const auto* const a =
      reinterpret_cast<const Chunk*>(A + static_cast<std::size_t>(min(row, m - 1)) * n);
  const auto* const x_chunks = reinterpret_cast<const Chunk*>(x);
  Chunk a_ahead[ahead];
  Chunk x_ahead[ahead];
  float sum = 0.0F;
  roll<ahead>(
      threadIdx.x, n / chunk_floats<Chunk>, lanes,
      [&](int k, int j) {
        a_ahead[k] = a[j];
        x_ahead[k] = x_chunks[j];
      },
      [&](int k) {
        a_ahead[k] = {};
        x_ahead[k] = {};
      },
      [&](int k) { sum += dot(a_ahead[k], x_ahead[k]); });
  sum = row_sum<lanes>(sum);
  if (threadIdx.x == 0 && row < m) y[row] = sum;
}

// ---------------------------------------------------------------- long rows

constexpr int long_rows_threads = 256;

/// The sums of a block's values; thread r gets row r's sum.
template <int rows>
__device__ float block_sums(const float (&values)[rows]) {
  constexpr int warps = long_rows_threads / warp;
  __shared__ float sums[rows][warps];
  __syncthreads();  // every thread has read the previous sums
  for (int r = 0; r < rows; ++r) {
    const float sum = sum_of_lanes<warp>(values[r]);
    if (threadIdx.x % warp == 0) sums[r][threadIdx.x / warp] = sum;
  }
  __syncthreads();
  float total = 0.0F;
  for (int w = 0; threadIdx.x < rows && w < warps; ++w) total += sums[threadIdx.x][w];
  return total;
}

/// The distance between rows that have the same offset from a multiple of 16 bytes. Where n is not
/// a multiple of 4, each row's offset differs from the previous one's: it is every fourth row.
template <bool aligned>
constexpr int rows_apart = aligned ? 1 : 4;

/// Loads of 16 bytes of each row that a thread has in flight.
template <int rows>
constexpr int long_rows_ahead = rows == 4 ? 2 : 4;

/// y = A x, A of m x n row-major, n large. A block has `rows` rows, and uses each load of x for all
/// of them. Blocks (b, 0), (b, 1), ... share the same rows, `width` chunks each.
/// @tparam aligned whether every row, and x, starts at a multiple of 16 bytes
/// @param partial gridDim.x * rows rows of gridDim.y elements, if that is not 1
/// @param arrived gridDim.x counters, all 0
template <bool aligned, int rows>
__global__ void __launch_bounds__(long_rows_threads)
    sgemv_long_rows(const float* A, const float* x, float* y, int m, int n, int width,
                    float* partial, unsigned* arrived) {
  constexpr int ahead = long_rows_ahead<rows>;
  constexpr int apart = rows_apart<aligned>;
  const int row = blockIdx.x / apart * apart * rows + blockIdx.x % apart;
  if (row >= m) return;  // the whole block
  const float* a[rows];
  for (int r = 0; r < rows; ++r) {  // beyond the last row: the first one again
    const int which = row + r * apart < m ? row + r * apart : row;
    a[r] = A + static_cast<std::size_t>(which) * n;
  }
  // Loads of 16 bytes start at multiples of 16 bytes: if the row does not, the first load starts
  // before it.
  const int before = aligned ? 0 : floats_behind_16_bytes(a[0]);

  float4 a_ahead[ahead][rows];
  float4 x_ahead[ahead];
  const auto clear = [&](int k) {
    x_ahead[k] = {};
    for (int r = 0; r < rows; ++r) a_ahead[k][r] = {};
  };
  const auto prefetch = [&](int k, int chunk) {
    const int e = 4 * chunk - before;
    if (aligned || four_are_there(e, n)) {
      if constexpr (aligned) {
        x_ahead[k] = *reinterpret_cast<const float4*>(x + e);
      } else {  // x has another offset than the rows
        x_ahead[k] = make_float4(x[e], x[e + 1], x[e + 2], x[e + 3]);
      }
      for (int r = 0; r < rows; ++r) {
        a_ahead[k][r] = *reinterpret_cast<const float4*>(a[r] + e);
      }
    } else {  // at the beginning or end of the row
      x_ahead[k] = those_of_four(x, e, n);
      for (int r = 0; r < rows; ++r) a_ahead[k][r] = those_of_four(a[r], e, n);
    }
  };
  float sum[rows] = {};
  const int first = blockIdx.y * width;
  const int chunks = (n + before + 3) / 4;
  roll<ahead>(first + threadIdx.x, first + min(width, chunks - first), long_rows_threads, prefetch,
              clear, [&](int k) {
                for (int r = 0; r < rows; ++r) sum[r] += dot(a_ahead[k][r], x_ahead[k]);
              });

  float total = block_sums<rows>(sum);  // thread r has row r's sum
  if (gridDim.y > 1) {
    float* const sums = partial + std::size_t{gridDim.y} * rows * blockIdx.x;
    if (threadIdx.x < rows) sums[gridDim.y * threadIdx.x + blockIdx.y] = total;
    if (!is_last_of_column(&arrived[blockIdx.x])) return;
    for (int r = 0; r < rows; ++r) {
      sum[r] = 0.0F;
      for (unsigned piece = threadIdx.x; piece < gridDim.y; piece += long_rows_threads) {
        sum[r] += sums[gridDim.y * r + piece];
      }
    }
    total = block_sums<rows>(sum);
  }
  const int mine = row + static_cast<int>(threadIdx.x) * apart;
  if (threadIdx.x < rows && mine < m) y[mine] = total;
}

// ---------------------------------------------------------------- very short rows

constexpr int tile_floats = 4096;  ///< of A, in a block's shared memory
constexpr int tile_threads = 256;

/// Where a tile keeps element e. Threads that walk along rows of 8, 16 or 32 elements use few banks
/// only: for these, `skewed`, one word is left free after every 32.
template <bool skewed>
__host__ __device__ constexpr int place(int e) {
  return skewed ? e + e / 32 : e;
}

/// Whether a tile of rows of n elements is skewed. If not, it is stored 16 bytes at a time.
constexpr bool is_skewed(int n) {
  return n % 8 == 0;
}

/// y = A x, A of m x n row-major, n small. A block's rows are contiguous: its threads fetch them in
/// loads of 16 bytes, wherever rows begin and end, and share each row of the tile.
/// @tparam skewed is_skewed(n)
/// @param rows rows per tile; rows * n is at most tile_floats
/// @param lanes threads per row: a power of 2, at most a warp
template <bool skewed>
__global__ void __launch_bounds__(tile_threads)
    sgemv_short_rows(const float* A, const float* x, float* y, int m, int n, int rows, int lanes) {
  __shared__ alignas(float4) float tile[place<skewed>(tile_floats + 4)];
  const int row = blockIdx.x * rows;
  const int here = min(rows, m - row);
  const float* const a = A + static_cast<std::size_t>(row) * n;
  const int before = floats_behind_16_bytes(a);
  const int count = here * n;
  constexpr int loads = tile_floats / (4 * tile_threads) + 1;
  float4 fetched[loads];
  for (int k = 0; k < loads; ++k) {
    const int e = 4 * (k * tile_threads + static_cast<int>(threadIdx.x));
    fetched[k] = load_four(a, e - before, count);
  }
  for (int k = 0; k < loads; ++k) {
    const int e = 4 * (k * tile_threads + threadIdx.x);
    if (e >= before + count) break;
    if constexpr (skewed) {
      tile[place<skewed>(e)] = fetched[k].x;
      tile[place<skewed>(e + 1)] = fetched[k].y;
      tile[place<skewed>(e + 2)] = fetched[k].z;
      tile[place<skewed>(e + 3)] = fetched[k].w;
    } else {
      *reinterpret_cast<float4*>(&tile[e]) = fetched[k];
    }
  }
  __syncthreads();

  const int lane = threadIdx.x % lanes;
  const int at_a_time = tile_threads / lanes;
  for (int first = 0; first < here; first += at_a_time) {  // for all threads: they shuffle
    const int r = first + threadIdx.x / lanes;
    float sum = 0.0F;
    for (int j = lane; r < here && j < n; j += lanes) {
      sum += tile[place<skewed>(before + r * n + j)] * x[j];
    }
    for (int distance = lanes / 2; distance > 0; distance /= 2) {
      sum += __shfl_xor_sync(0xFFFFFFFFU, sum, distance);
    }
    if (lane == 0 && r < here) y[row + r] = sum;
  }
}

}  // namespace ours
