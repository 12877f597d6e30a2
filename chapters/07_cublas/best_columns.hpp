/// @file
/// y = A x with A column-major: a kernel for strips of rows, and one for a few long rows.
#pragma once

#include <cstdint>

#include "chunk.hpp"
#include "course.hpp"
#include "last_block.hpp"

namespace ours {

using course::add_product;

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

// Few rows. A strip of a few rows would be a few bytes of each column. But the columns of a matrix
// lie in memory one after the other, without a gap: the whole matrix is one long vector, of which
// element e is of row e % m and column e / m. A block reads as many columns at a time as its
// threads can in one load of 16 bytes each. From one such step to the next a thread moves on by
// whole columns, and so its 4 elements stay in their rows.

constexpr int few_rows_threads = 256;
constexpr int steps_ahead = 4;  ///< loads of A that a thread has on their way

/// How many threads read a whole number of columns of m rows with 4 elements each.
constexpr int threads_that_read(int m) {
  int unit = m;  // of threads: 4 unit is a multiple of m
  while (unit % 2 == 0 && m / unit < 4) unit /= 2;
  return few_rows_threads / unit * unit;
}

/// `count` elements of columns of m rows times x, those of the steps first .. last - 1 only, by the
/// whole block.
/// @param x x(j) is the factor of column j
/// @param store store(r, sum) is called once for each row r
template <class X, class Store>
__device__ void multiply_vector(const float* A, int m, long count, int readers, long first,
                                long last, X x, Store store) {
  __shared__ float sums[4 * few_rows_threads];
  const int step = 4 * readers;  // elements
  const int columns = step / m;
  // Loads of 16 bytes start at multiples of 16 bytes: so the first one starts before A, if A is
  // none. `mine` is where in a step this thread's elements are, seen from A; it may be negative.
  const int before = static_cast<int>(reinterpret_cast<std::uintptr_t>(A) / sizeof(float) % 4);
  const int mine = 4 * static_cast<int>(threadIdx.x) - before;
  int column[4];
  for (int i = 0; i < 4; ++i) {
    column[i] = mine + i < 0 ? -((m - 1 - mine - i) / m) : (mine + i) / m;
  }

  constexpr int edge = steps_ahead;  // a place more, for a first step that is not whole
  float a[steps_ahead + 1][4] = {};
  float factor[steps_ahead + 1][4] = {};
  const auto ask = [&](int k, long s) {
    const float4 four = *reinterpret_cast<const float4*>(A + s * step + mine);
    a[k][0] = four.x;
    a[k][1] = four.y;
    a[k][2] = four.z;
    a[k][3] = four.w;
    for (int i = 0; i < 4; ++i) factor[k][i] = x(s * columns + column[i]);
  };
  // Where the matrix begins and ends, and where steps do: element by element.
  const auto ask_at_edge = [&](int k, long s) {
    for (int i = 0; i < 4; ++i) {
      const long e = s * step + mine + i;
      const bool is_there = s < last && 0 <= e && e < count;
      a[k][i] = is_there ? A[e] : 0.0F;
      factor[k][i] = is_there ? x(s * columns + column[i]) : 0.0F;
    }
  };
  float sum[4] = {};
  const auto use = [&](int k) {
    for (int i = 0; i < 4; ++i) sum[i] += a[k][i] * factor[k][i];
  };
  const bool reads = static_cast<int>(threadIdx.x) < readers;
  long s = first;
  if (reads && s == 0 && before > 0) ask_at_edge(edge, s++);  // asked first, and used last
  const long last_round = min(last, count / step) - (steps_ahead - 1);
  if (reads && s < last_round) {
    for (int k = 0; k < steps_ahead; ++k) ask(k, s + k);
    for (s += steps_ahead; s < last_round; s += steps_ahead) {
      for (int k = 0; k < steps_ahead; ++k) {
        use(k);
        ask(k, s + k);
      }
    }
    for (int k = 0; k < steps_ahead; ++k) use(k);
  }
  for (; reads && s < last; s += steps_ahead) {
    for (int k = 0; k < steps_ahead; ++k) ask_at_edge(k, s + k);
    for (int k = 0; k < steps_ahead; ++k) use(k);
  }
  use(edge);

  __syncthreads();  // nobody reads the sums of before any more
  for (int i = 0; reads && i < 4; ++i) sums[mine + i + (mine + i < 0 ? step : 0)] = sum[i];
  // What is there now is a matrix of m rows, too. Its right half is added to its left one, until
  // there is one column.
  for (int left = columns; left > 1; left = (left + 1) / 2) {
    __syncthreads();
    const int kept = (left + 1) / 2 * m;
    for (int k = threadIdx.x; k < left * m - kept; k += few_rows_threads) sums[k] += sums[k + kept];
  }
  __syncthreads();
  for (int r = threadIdx.x; r < m; r += few_rows_threads) store(r, sums[r]);
}

/// y = A x, A of m x n column-major, m small. Blocks (0, 0), (0, 1), ... have `width` steps each.
/// @param readers threads_that_read(m)
/// @param partial a column-major matrix of m rows and gridDim.y columns, if that is not 1
/// @param arrived a counter, 0
__global__ void __launch_bounds__(few_rows_threads)
    sgemv_few_rows(const float* A, const float* x, float* y, int m, int n, int readers, int width,
                   float* partial, unsigned* arrived) {
  const long first = long{blockIdx.y} * width;
  float* const mine = gridDim.y == 1 ? y : partial + long{blockIdx.y} * m;
  multiply_vector(
      A, m, long{m} * n, readers, first, first + width, [&](long j) { return x[j]; },
      [&](int r, float sum) { mine[r] = sum; });
  if (gridDim.y == 1 || !is_last_of_column(arrived)) return;
  // Adding up is the same again: the matrix of the partial sums times a vector of ones.
  const long sums = long{m} * gridDim.y;
  multiply_vector(
      partial, m, sums, readers, 0, (sums - 1) / (4 * readers) + 1, [](long) { return 1.0F; },
      [&](int r, float sum) { y[r] = sum; });
}

}  // namespace ours
