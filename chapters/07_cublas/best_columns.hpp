/// @file
/// y = A x with A column-major: a kernel for strips of rows, and one for a few long rows.
#pragma once

#include <cstddef>

#include "chunk.hpp"
#include "last_block.hpp"
#include "rolling.hpp"

namespace ours {

using course::add_product;

constexpr int columns_ahead = 8;  ///< loads that a thread has in flight

// A strip of rows. Where all columns start at multiples of 16 bytes, a lane reads 4 rows of a
// column in one load. Columns that start elsewhere are read from the previous multiple of 16 bytes:
// the 4 elements that a lane gets are up to 3 rows further up. This shift is the same for every
// fourth column, however long columns are. So a group of threads that takes every fourth column, or
// every eighth, always adds up the same rows, and the shift matters only when the groups' sums are
// combined. With few columns there is not enough work for four groups. One group takes them all,
// and reads single elements.

/// How a strip's columns are read.
enum class Columns {
  aligned,   ///< by 16 bytes: each starts at a multiple of 16 bytes
  anywhere,  ///< by 16 bytes from the previous multiple
  single,    ///< by 4 bytes, each lane rows `lanes` apart: neighbouring lanes read neighbours
};

/// Rows per strip. For columns that start anywhere 3 fewer would do; 4 are a multiple of 4.
template <Columns columns, int lanes>
constexpr int strip_rows = columns == Columns::anywhere ? 4 * lanes - 4 : 4 * lanes;

/// One strip of rows times x, columns first .. last - 1, by the whole block: groups of `lanes`
/// threads take one column each.
/// @param A the matrix, of which `count` elements exist
/// @param ld distance from one column to the next
/// @param row the strip's first row; it has `rows` of them
/// @param x x(j) is the factor of column j
/// @param store store(r, sum) is called once for each row r of the strip
template <Columns columns, int lanes, int threads, class X, class Store>
__device__ void multiply_strip(const float* A, long ld, long count, int row, int rows, int first,
                               int last, X x, Store store) {
  constexpr int groups = threads / lanes;
  static_assert(columns != Columns::anywhere || groups % 4 == 0, "or a group's rows would change");
  __shared__ alignas(float4) float sums[groups][4 * lanes];
  const int lane = threadIdx.x % lanes;
  const int group = threadIdx.x / lanes;
  const int before =
      columns == Columns::anywhere ? floats_behind_16_bytes(A + (first + group) * ld + row) : 0;
  const auto mine = [&](int i) {  // the row of the strip to which part i of 4 of the thread belongs
    return columns == Columns::single ? lane + i * lanes : 4 * lane - before + i;
  };
  const auto load = [&](float4& four, int j) {
    const float* const column = A + j * ld + row;
    four = {};
    if constexpr (columns == Columns::single) {
      if (mine(0) < rows) four.x = column[mine(0)];
      if (mine(1) < rows) four.y = column[mine(1)];
      if (mine(2) < rows) four.z = column[mine(2)];
      if (mine(3) < rows) four.w = column[mine(3)];
    } else if (mine(0) < rows) {
      if constexpr (columns == Columns::aligned) {
        four = *reinterpret_cast<const float4*>(column + mine(0));
      } else {
        four = load_four(A, j * ld + row + mine(0), count);
      }
    }
  };

  float4 a[columns_ahead];
  float factor[columns_ahead];
  float4 sum = {};
  roll<columns_ahead>(
      first + group, last, groups,
      [&](int k, int j) {
        load(a[k], j);
        factor[k] = x(j);
      },
      [&](int k) {
        a[k] = {};
        factor[k] = 0.0F;
      },
      [&](int k) { add_product(sum, a[k], factor[k]); });

  __syncthreads();  // every thread has read the previous strip's sums
  if constexpr (columns == Columns::aligned) {
    reinterpret_cast<float4*>(sums[group])[lane] = sum;
  } else {
    const float four[] = {sum.x, sum.y, sum.z, sum.w};
    for (int i = 0; i < 4; ++i) {
      if (mine(i) >= 0) sums[group][mine(i)] = four[i];
    }
  }
  __syncthreads();
  for (int r = threadIdx.x; r < rows; r += threads) {
    float total = sums[0][r];
    for (int g = 1; g < groups; ++g) total += sums[g][r];
    store(r, total);
  }
}

/// y = A x, A of m x n column-major, in strips. Blocks (b, 0), (b, 1), ... share strip b, `width`
/// columns each.
/// @param partial a column-major matrix of gridDim.x strips of 4 * lanes rows and gridDim.y
///     columns, if that is not 1
/// @param arrived gridDim.x counters, all 0
template <Columns columns, int lanes, int threads>
__global__ void __launch_bounds__(threads)
    sgemv_column_major(const float* A, const float* x, float* y, int m, int n, int width,
                       float* partial, unsigned* arrived) {
  const int row = blockIdx.x * strip_rows<columns, lanes>;
  const int rows = min(strip_rows<columns, lanes>, m - row);
  const int first = blockIdx.y * width;
  const int place = blockIdx.x * 4 * lanes;
  const long ld = long{gridDim.x} * 4 * lanes;
  float* const mine = gridDim.y == 1 ? y + row : partial + blockIdx.y * ld + place;
  multiply_strip<columns, lanes, threads>(
      A, m, long{m} * n, row, rows, first, first + min(width, n - first),
      [&](int j) { return x[j]; }, [&](int r, float sum) { mine[r] = sum; });
  if (gridDim.y == 1 || !is_last_of_column(&arrived[blockIdx.x])) return;
  // The same function adds up: the matrix of partial sums times a vector of ones.
  multiply_strip<Columns::aligned, lanes, threads>(
      partial, ld, ld * gridDim.y, place, rows, 0, gridDim.y, [](int) { return 1.0F; },
      [&](int r, float sum) { y[row + r] = sum; });
}

// Few rows. A strip of a few rows would be a few bytes of each column. But the columns of a matrix
// are contiguous: the whole matrix is one long vector whose element e belongs to row e % m and
// column e / m. In each step a block reads as many columns as its threads can fetch with one load
// of 16 bytes each. From one step to the next a thread moves on by whole columns, and so its 4
// elements stay in their rows.

constexpr int few_rows_threads = 256;
constexpr int steps_ahead = 4;  ///< loads of A that a thread has in flight

/// How many threads read a whole number of columns of m rows with 4 elements each.
constexpr int threads_that_read(int m) {
  int unit = m;  // of threads: 4 unit is a multiple of m
  while (unit % 2 == 0 && m / unit < 4) unit /= 2;
  return few_rows_threads / unit * unit;
}

/// `count` elements of columns of m rows times x, only those of steps first .. last - 1, by the
/// whole block.
/// @param x x(j) is the factor of column j
/// @param store store(r, sum) is called once for each row r
template <class X, class Store>
__device__ void multiply_vector(const float* A, int m, long count, int readers, int first, int last,
                                X x, Store store) {
  __shared__ float sums[4 * few_rows_threads];
  const int step = 4 * readers;  // elements
  const int columns = step / m;
  // This thread's position in a step, counted from A; it may be negative.
  const int before = floats_behind_16_bytes(A);
  const int mine = 4 * static_cast<int>(threadIdx.x) - before;
  // The other steps contain the matrix's beginning or its end.
  const int first_whole = before > 0 ? 1 : 0;
  const int last_whole = static_cast<int>(count / step);
  int column[4];
  column[0] = mine < 0 ? -((m - 1 - mine) / m) : mine / m;
  for (int i = 1, row = mine - column[0] * m; i < 4; ++i) {
    row = row + 1 < m ? row + 1 : 0;
    column[i] = column[i - 1] + (row == 0 ? 1 : 0);
  }

  float4 a[steps_ahead];
  float4 factor[steps_ahead];
  float4 sum = {};
  roll<steps_ahead>(
      first, static_cast<int>(threadIdx.x) < readers ? last : first, 1,
      [&](int k, int s) {
        const long e = long{s} * step + mine;
        const long j = long{s} * columns;
        if (first_whole <= s && s < last_whole) {
          a[k] = *reinterpret_cast<const float4*>(A + e);
          factor[k] =
              make_float4(x(j + column[0]), x(j + column[1]), x(j + column[2]), x(j + column[3]));
        } else {
          const auto factor_of = [&](int i) {
            return 0 <= e + i && e + i < count ? x(j + column[i]) : 0.0F;
          };
          a[k] = those_of_four(A, e, count);
          factor[k] = make_float4(factor_of(0), factor_of(1), factor_of(2), factor_of(3));
        }
      },
      [&](int k) {
        a[k] = {};
        factor[k] = {};
      },
      [&](int k) {
        sum.x += a[k].x * factor[k].x;
        sum.y += a[k].y * factor[k].y;
        sum.z += a[k].z * factor[k].z;
        sum.w += a[k].w * factor[k].w;
      });

  __syncthreads();  // every thread has read the previous sums
  if (static_cast<int>(threadIdx.x) < readers) {
    const float four[] = {sum.x, sum.y, sum.z, sum.w};
    for (int i = 0; i < 4; ++i) sums[mine + i + (mine + i < 0 ? step : 0)] = four[i];
  }
  // These sums are again a matrix of m rows. An eighth of its columns adds the others to itself,
  // until one column is left.
  constexpr int parts = 8;
  for (int left = columns; left > 1;) {
    __syncthreads();
    const int kept = (left + parts - 1) / parts;
    for (int k = threadIdx.x; k < kept * m; k += few_rows_threads) {
      float total = sums[k];
      for (int part = 1; part < parts; ++part) {
        const int other = k + part * kept * m;
        if (other < left * m) total += sums[other];
      }
      sums[k] = total;
    }
    left = kept;
  }
  __syncthreads();
  for (int r = threadIdx.x; r < m; r += few_rows_threads) store(r, sums[r]);
}

/// y = A x, A of m x n column-major, m small. Blocks (0, 0), (0, 1), ... have `width` steps each.
/// @param readers threads_that_read(m)
/// @param partial a column-major matrix of m rows and gridDim.y columns, if that is not 1
/// @param arrived a counter that is 0
static __global__ void __launch_bounds__(few_rows_threads)
    sgemv_few_rows(const float* A, const float* x, float* y, int m, int n, int readers, int width,
                   float* partial, unsigned* arrived) {
  const int first = blockIdx.y * width;
  float* const mine = gridDim.y == 1 ? y : partial + long{blockIdx.y} * m;
  multiply_vector(
      A, m, long{m} * n, readers, first, first + width, [&](long j) { return x[j]; },
      [&](int r, float sum) { mine[r] = sum; });
  if (gridDim.y == 1 || !is_last_of_column(arrived)) return;
  // The same function adds up: the matrix of partial sums times a vector of ones.
  const long sums = long{m} * gridDim.y;
  multiply_vector(
      partial, m, sums, readers, 0, static_cast<int>((sums - 1) / (4 * readers) + 1),
      [](long) { return 1.0F; }, [&](int r, float sum) { y[r] = sum; });
}

}  // namespace ours
