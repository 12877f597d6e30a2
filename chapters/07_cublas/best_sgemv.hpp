/// @file
/// Our best y = A x: for each layout one kernel, and one function that fits it to the shape.
///
/// Both kernels are chapter 06's last rungs, with three more ideas:
///
/// - **Rolling loads.** A thread has 8 loads of 16 bytes on their way. As soon as one has arrived
///   and is used, the next is asked for in its place. (Asking for 8, then using 8, leaves nothing
///   on its way in between; with many warps others fill that gap, and the gain is small.)
/// - **As many warps as it takes, and no more.** How many warps share a row, or a column, follows
///   from the shape.
/// - **The last block adds up.** Blocks that share rows leave their sums in memory; the one that
///   comes last, whichever it is, adds them up, always in the same order. That saves the second
///   kernel of "two passes", and the result has the same bits every time.
#pragma once

#include <cstdint>

#include "chunk.hpp"
#include "course.hpp"

namespace ours {

using course::add_product;
using course::chunk_floats;
using course::dot;
using course::warp;

/// True for all threads of the last of the gridDim.y blocks that call it with the same counter.
/// What the other blocks wrote before they called, it can read.
/// @param arrived 0 before, and again afterwards
inline __device__ bool is_last_of_column(unsigned* arrived) {
  __shared__ bool last;
  __syncthreads();  // the whole block has written
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    __threadfence();  // which all others see before they see it counted
    last = atomicAdd(arrived, 1U) == gridDim.y - 1;
    if (last) *arrived = 0;
    __threadfence();  // and from here on this block sees what they wrote
  }
  __syncthreads();
  return last;
}

// ---------------------------------------------------------------- column-major

constexpr int columns_ahead = 8;  ///< loads that a thread has on their way

/// A thread's 4 elements of a column's strip of 4 * lanes rows: neighbours, in one load, if columns
/// are aligned; else `lanes` apart, so that at each of 4 loads neighbouring lanes read neighbours.
template <bool aligned, int lanes>
__device__ float4 load_rows(const float* column, int lane, int rows) {
  float4 a = {};
  if constexpr (aligned) {
    if (4 * lane < rows) a = reinterpret_cast<const float4*>(column)[lane];
  } else {
    if (lane < rows) a.x = column[lane];
    if (lane + lanes < rows) a.y = column[lane + lanes];
    if (lane + 2 * lanes < rows) a.z = column[lane + 2 * lanes];
    if (lane + 3 * lanes < rows) a.w = column[lane + 3 * lanes];
  }
  return a;
}

/// One strip of rows times x, columns first .. last - 1, by the whole block: groups of `lanes`
/// threads take a column each.
/// @param A the strip's first element of column 0
/// @param ld distance of a column from the one before
/// @param x x(j) is the factor of column j
/// @param store store(r, sum) is called once for each row r of the strip
template <bool aligned, int lanes, int threads, class X, class Store>
__device__ void multiply_strip(const float* A, std::size_t ld, int rows, int first, int last, X x,
                               Store store) {
  constexpr int groups = threads / lanes;
  __shared__ alignas(float4) float sums[groups][4 * lanes];
  const int lane = threadIdx.x % lanes;
  const int group = threadIdx.x / lanes;

  float4 a[columns_ahead];
  float factor[columns_ahead];
  const auto ask = [&](int k, int j) {
    a[k] = load_rows<aligned, lanes>(A + j * ld, lane, rows);
    factor[k] = x(j);
  };
  float4 sum = {};
  int j = first + group;
  const int last_round = last - (columns_ahead - 1) * groups;
  if (j < last_round) {
    for (int k = 0; k < columns_ahead; ++k) ask(k, j + k * groups);
    for (j += columns_ahead * groups; j < last_round; j += columns_ahead * groups) {
      for (int k = 0; k < columns_ahead; ++k) {
        add_product(sum, a[k], factor[k]);
        ask(k, j + k * groups);
      }
    }
    for (int k = 0; k < columns_ahead; ++k) add_product(sum, a[k], factor[k]);
  }
  if (j < last) {  // the rest, less than a round: all at once again
    for (int k = 0; k < columns_ahead; ++k) {
      a[k] = {};
      factor[k] = 0.0F;
      if (j < last - k * groups) ask(k, j + k * groups);
    }
    for (int k = 0; k < columns_ahead; ++k) add_product(sum, a[k], factor[k]);
  }

  __syncthreads();  // nobody reads the sums of a strip before any more
  if constexpr (aligned) {
    reinterpret_cast<float4*>(sums[group])[lane] = sum;
  } else {
    sums[group][lane] = sum.x;
    sums[group][lane + lanes] = sum.y;
    sums[group][lane + 2 * lanes] = sum.z;
    sums[group][lane + 3 * lanes] = sum.w;
  }
  __syncthreads();
  for (int r = threadIdx.x; r < rows; r += threads) {
    float total = sums[0][r];
    for (int g = 1; g < groups; ++g) total += sums[g][r];
    store(r, total);
  }
}

/// y = A x, A of m x n column-major, in strips of 4 * lanes rows. Blocks (b, 0), (b, 1), ... share
/// strip b, `width` columns each.
/// @param partial a column-major matrix of gridDim.x strips and gridDim.y columns, if that is not 1
/// @param arrived gridDim.x counters, all 0
template <bool aligned, int lanes, int threads>
__global__ void __launch_bounds__(threads)
    sgemv_column_major(const float* A, const float* x, float* y, int m, int n, int width,
                       float* partial, unsigned* arrived) {
  const int row = blockIdx.x * 4 * lanes;
  const int rows = min(4 * lanes, m - row);
  const int first = blockIdx.y * width;
  const std::size_t ld = std::size_t{gridDim.x} * 4 * lanes;
  float* const mine = gridDim.y == 1 ? y + row : partial + blockIdx.y * ld + row;
  multiply_strip<aligned, lanes, threads>(
      A + row, m, rows, first, first + min(width, n - first), [&](int j) { return x[j]; },
      [&](int r, float sum) { mine[r] = sum; });
  if (gridDim.y == 1 || !is_last_of_column(&arrived[blockIdx.x])) return;
  // Adding up is the same again: the matrix of the partial sums times a vector of ones.
  multiply_strip<true, lanes, threads>(
      partial + row, ld, rows, 0, gridDim.y, [](int) { return 1.0F; },
      [&](int r, float sum) { y[row + r] = sum; });
}

// ---------------------------------------------------------------- row-major

/// Threads of a block, of which each row has `lanes`.
constexpr int block_of(int lanes) {
  return lanes > warp ? lanes : 128;
}

/// Loads that a thread has on their way.
template <class Chunk>
constexpr int chunks_ahead = sizeof(Chunk) == sizeof(float4) ? 4 : 16;

/// The sum over the threads of a row, in the first of them. More than a warp are the whole block.
template <int lanes>
__device__ float row_sum(float value) {
  for (int distance = min(warp, lanes) / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFFU, value, distance);
  }
  if constexpr (lanes > warp) {
    __shared__ float sums[lanes / warp];
    __syncthreads();  // nobody reads the sums of before any more
    if (threadIdx.x % warp == 0) sums[threadIdx.x / warp] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int w = 1; w < lanes / warp; ++w) value += sums[w];
    }
  }
  return value;
}

/// y = A x, A of m x n row-major. A block has blockDim.y rows, and blockDim.x = lanes threads for
/// each. Blocks (b, 0), (b, 1), ... share row b, `width` chunks each; then blockDim.y is 1.
/// @param partial m x gridDim.y, row-major, if gridDim.y is not 1
/// @param arrived m counters, all 0
template <class Chunk, int lanes>
__global__ void __launch_bounds__(block_of(lanes))
    sgemv_row_major(const float* A, const float* x, float* y, int m, int n, int width,
                    float* partial, unsigned* arrived) {
  constexpr int ahead = chunks_ahead<Chunk>;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  // A thread without a row works on the last one and keeps the result to itself: it must be there
  // for the shuffles.
  const auto* const a =
      reinterpret_cast<const Chunk*>(A + static_cast<std::size_t>(min(row, m - 1)) * n);
  const auto* const x_chunks = reinterpret_cast<const Chunk*>(x);
  const int chunks = n / chunk_floats<Chunk>;
  const int first = blockIdx.y * width;
  const int last = first + min(width, chunks - first);

  Chunk a_ahead[ahead];
  Chunk x_ahead[ahead];
  const auto ask = [&](int k, int at) {
    a_ahead[k] = a[at];
    x_ahead[k] = x_chunks[at];
  };
  float sum = 0.0F;
  int j = first + threadIdx.x;
  const int last_round = last - (ahead - 1) * lanes;
  if (j < last_round) {
    for (int k = 0; k < ahead; ++k) ask(k, j + k * lanes);
    for (j += ahead * lanes; j < last_round; j += ahead * lanes) {
      for (int k = 0; k < ahead; ++k) {
        sum += dot(a_ahead[k], x_ahead[k]);
        ask(k, j + k * lanes);
      }
    }
    for (int k = 0; k < ahead; ++k) sum += dot(a_ahead[k], x_ahead[k]);
  }
  if (j < last) {  // the rest, less than a round: all at once again
    for (int k = 0; k < ahead; ++k) {
      a_ahead[k] = {};
      x_ahead[k] = {};
      if (j < last - k * lanes) ask(k, j + k * lanes);
    }
    for (int k = 0; k < ahead; ++k) sum += dot(a_ahead[k], x_ahead[k]);
  }
  sum = row_sum<lanes>(sum);

  if (gridDim.y == 1) {
    if (threadIdx.x == 0 && row < m) y[row] = sum;
    return;
  }
  float* const sums = partial + static_cast<std::size_t>(row) * gridDim.y;
  if (threadIdx.x == 0) sums[blockIdx.y] = sum;
  if (!is_last_of_column(&arrived[row])) return;
  sum = 0.0F;
  for (unsigned piece = threadIdx.x; piece < gridDim.y; piece += lanes) sum += sums[piece];
  sum = row_sum<lanes>(sum);
  if (threadIdx.x == 0) y[row] = sum;
}

// ---------------------------------------------------------------- the choice

/// Room for partial sums, and the two functions. Like a cuBLAS handle it is made once; two streams
/// need two.
class Sgemv {
 public:
  /// @param processors multiprocessors to keep busy: the rules count them
  explicit Sgemv(int processors = course::device().multiprocessors)
      : processors_(processors),
        partial_(std::size_t{2} * processors_ * 128),
        arrived_(std::size_t{4} * processors_) {
    CUDA_CHECK(cudaMemset(arrived_, 0, arrived_.bytes()));
  }

  /// y = A x with A of m x n, column-major.
  void column_major(const float* A, const float* x, float* y, int m, int n) {
    if (m == 0) return;
    if (m % 4 == 0 && on_16_bytes(A)) {
      launch_columns<true>(A, x, y, m, n);
    } else {
      launch_columns<false>(A, x, y, m, n);
    }
  }

  /// y = A x with A of m x n, row-major.
  void row_major(const float* A, const float* x, float* y, int m, int n) {
    if (m == 0) return;
    if (n % 4 == 0 && on_16_bytes(A) && on_16_bytes(x)) {
      launch_rows<float4>(A, x, y, m, n);
    } else {
      launch_rows<float>(A, x, y, m, n);
    }
  }

 private:
  /// Columns, or chunks of a row, in pieces of equal width.
  struct Pieces {
    int width;
    int count;
    Pieces(int n, int wanted, int least_width) {
      const int last = std::max(n, 1) - 1;  // an empty sum is a piece too
      width = last / std::clamp(wanted, 1, last / least_width + 1) + 1;
      count = last / width + 1;
    }
  };

  static bool on_16_bytes(const float* address) {
    return reinterpret_cast<std::uintptr_t>(address) % sizeof(float4) == 0;
  }

  /// Some 512 threads a multiprocessor, each with 128 bytes on their way. Many rows: small blocks,
  /// so that there are several for each. Fewer: narrower strips. Few: several blocks a strip.
  template <bool aligned>
  void launch_columns(const float* A, const float* x, float* y, int m, int n) {
    const int strips = (m - 1) / 128 + 1;
    const auto fill = [&](int blocks) { return 10 * blocks >= 9 * processors_; };
    if (fill(strips / 4)) return launch_columns<aligned, 32, 128>(A, x, y, m, n, 1);
    if (fill(strips / 2)) return launch_columns<aligned, 32, 256>(A, x, y, m, n, 1);
    if (fill(strips)) return launch_columns<aligned, 32, 512>(A, x, y, m, n, 1);
    if constexpr (aligned) {  // a narrow strip read in 4-byte loads wastes too much of each sector
      if (fill(strips * 2)) return launch_columns<aligned, 16, 512>(A, x, y, m, n, 1);
      if (fill(strips * 4)) return launch_columns<aligned, 8, 512>(A, x, y, m, n, 1);
      if (fill(strips * 16)) return launch_columns<aligned, 4, 512>(A, x, y, m, n, 1);
    }
    launch_columns<aligned, 32, 256>(A, x, y, m, n, 2 * processors_ / strips);
  }

  template <bool aligned, int lanes, int threads>
  void launch_columns(const float* A, const float* x, float* y, int m, int n, int wanted) {
    const Pieces pieces(n, wanted, columns_ahead * threads / lanes);
    const dim3 grid((m - 1) / (4 * lanes) + 1, pieces.count);
    sgemv_column_major<aligned, lanes, threads>
        <<<grid, threads>>>(A, x, y, m, n, pieces.width, partial_, arrived_);
    CUDA_CHECK_LAUNCH();
  }

  /// As many threads a row as read it in one round of loads; but many, not very many.
  template <class Chunk>
  void launch_rows(const float* A, const float* x, float* y, int m, int n) {
    const int lanes = (n / chunk_floats<Chunk> - 1) / chunks_ahead<Chunk> + 1;
    if (lanes <= 4) return launch_rows<Chunk, 4>(A, x, y, m, n);
    if (lanes <= 8) return launch_rows<Chunk, 8>(A, x, y, m, n);
    if (lanes <= 16) return launch_rows<Chunk, 16>(A, x, y, m, n);
    if (lanes <= 32) return launch_rows<Chunk, 32>(A, x, y, m, n);
    if (lanes <= 64) return launch_rows<Chunk, 64>(A, x, y, m, n);
    if (lanes <= 128) return launch_rows<Chunk, 128>(A, x, y, m, n);
    if (lanes <= 256 || sizeof(Chunk) == 16) return launch_rows<Chunk, 256>(A, x, y, m, n);
    launch_rows<Chunk, 512>(A, x, y, m, n);
  }

  template <class Chunk, int lanes>
  void launch_rows(const float* A, const float* x, float* y, int m, int n) {
    const dim3 block(lanes, block_of(lanes) / lanes);
    // Few long rows do not fill the GPU: then several blocks share one, 4 for each multiprocessor.
    const int wanted = block.y == 1 ? 4 * processors_ / m : 1;
    const Pieces pieces(n / chunk_floats<Chunk>, wanted, lanes * chunks_ahead<Chunk>);
    const dim3 grid((m - 1) / block.y + 1, pieces.count);
    sgemv_row_major<Chunk, lanes><<<grid, block>>>(A, x, y, m, n, pieces.width, partial_, arrived_);
    CUDA_CHECK_LAUNCH();
  }

  int processors_;
  course::DeviceArray<float> partial_;
  course::DeviceArray<unsigned> arrived_;
};

}  // namespace ours
