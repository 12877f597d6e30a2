/// @file
/// C = A B for floats by mma.sync, in short numbers of any format. The splitting is fused: tiles of
/// floats are in shared memory, and each warp splits what it reads. Plain to read, not fast.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "short_numbers.hpp"

namespace fp32 {

/// C = A B, row-major: A is m x k, B is k x n, without gaps between rows.
struct Product {
  const float* A;
  const float* B;
  float* C;
  int m, n, k;
  const std::uint32_t* largest_A = nullptr;  ///< bits of the largest magnitude of each row
  const std::uint32_t* largest_B = nullptr;  ///< likewise of each column
};

/// A block's tile of C: 64 x 64, by four warps of 32 x 32 each.
constexpr int tile_extent = 64;
constexpr int tile_depth = 32;

/// Tiles of floats. Rows are as long as the lanes' accesses need to meet in no bank.
template <class Number>
struct FloatTiles {
  float A[tile_extent][tile_depth + 4 * Number::in_register];
  float B[tile_depth][tile_extent + 8 / Number::in_register];
};

/// Copies tiles to shared memory, scaled if the format needs that. Beyond the edges they are 0.
template <class Number>
__device__ void copy_tiles(FloatTiles<Number>& tiles, const Product& g, int row, int col,
                           int first) {
  for (int i = static_cast<int>(threadIdx.x); i < tile_extent * tile_depth; i += 128) {
    const int y = i / tile_depth;
    const int x = i % tile_depth;
    float value = 0.0F;
    if (row + y < g.m && first + x < g.k) {
      value = g.A[static_cast<std::size_t>(row + y) * g.k + first + x];
      if constexpr (Number::scales) {
        value *= power_of_two(exponent_to(Number::top, g.largest_A[row + y]));
      }
    }
    tiles.A[y][x] = value;
  }
  for (int i = static_cast<int>(threadIdx.x); i < tile_extent * tile_depth; i += 128) {
    const int y = i / tile_extent;
    const int x = i % tile_extent;
    float value = 0.0F;
    if (first + y < g.k && col + x < g.n) {
      value = g.B[static_cast<std::size_t>(first + y) * g.n + col + x];
      if constexpr (Number::scales) {
        value *= power_of_two(exponent_to(Number::top, g.largest_B[col + x]));
      }
    }
    tiles.B[y][x] = value;
  }
}

/// Splits the floats of one register: register `at` of each part gets its share.
/// @param next the next float that belongs in this register
template <class S, int registers, class Next>
__device__ void split(std::uint32_t (&parts)[S::parts][registers], int at, Next next) {
  using Number = typename S::Number;
#pragma unroll
  for (int p = 0; p < S::parts; ++p) parts[p][at] = 0;
#pragma unroll
  for (int i = 0; i < Number::in_register; ++i) {
    float rest = next(i);
#pragma unroll
    for (int p = 0; p < S::parts; ++p) {
      parts[p][at] |= Number::take(rest) << (32 / Number::in_register * i % 32);
    }
  }
}

/// A warp's sums of 32 x 32 elements: two by four small matrices.
template <class S>
struct WarpSums {
  using Sum = typename S::Number::Sum;
  Sum now[S::levels][2][4][4];  ///< the tensor core's
  float all[2][4][4];           ///< those that have been promoted

  __device__ void clear() {
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      all[i / 16][i / 4 % 4][i % 4] = 0.0F;
#pragma unroll
      for (int level = 0; level < S::levels; ++level) now[level][i / 16][i / 4 % 4][i % 4] = 0;
    }
  }
  /// Adds up the terms of a stage, a few at a time: small products before large ones.
  __device__ void multiply(const FloatTiles<typename S::Number>& tiles, int row, int col) {
    using Number = typename S::Number;
    constexpr int in_register = Number::in_register;
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int first = 0; first < tile_depth; first += 8 * in_register) {
      const int x = first + in_register * (lane % 4);
      std::uint32_t b[4][S::parts][2];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
#pragma unroll
        for (int r = 0; r < 2; ++r) {
          split<S>(b[j], r, [&](int i) {
            return tiles.B[x + 4 * in_register * r + i][col + 8 * j + lane / 4];
          });
        }
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        std::uint32_t a[S::parts][4];
#pragma unroll
        for (int r = 0; r < 4; ++r) {
          const float* numbers =
              &tiles.A[row + 16 * i + lane / 4 + 8 * (r % 2)][x + 4 * in_register * (r / 2)];
          split<S>(a, r, [&](int number) { return numbers[number]; });
        }
#pragma unroll
        for (int level = S::most; level >= 0; --level) {
#pragma unroll
          for (int p = 0; p <= level; ++p) {
            if (p >= S::parts || level - p >= S::parts) continue;
#pragma unroll
            for (int j = 0; j < 4; ++j) {
              Number::multiply(now[level < S::levels ? level : S::levels - 1][i][j], a[p],
                               b[j][level - p]);
            }
          }
        }
      }
    }
  }
  /// Corrections first: they are small.
  __device__ void promote() {
    if constexpr (!S::is_whole) {
#pragma unroll
      for (int level = S::levels - 1; level >= 0; --level) {
#pragma unroll
        for (int i = 0; i < 32; ++i) {
          auto& sum = now[level][i / 16][i / 4 % 4][i % 4];
          all[i / 16][i / 4 % 4][i % 4] += sum;
          sum = 0.0F;
        }
      }
    }
  }
  /// The result, if numbers were not scaled.
  __device__ float result(int i, int j, int c) const {
    if constexpr (S::is_whole) {
      double sum = 0.0;  // 53 bits hold all levels together
#pragma unroll
      for (int level = S::most; level >= 0; --level) sum = sum * 0x1p-7 + now[level][i][j][c];
      return static_cast<float>(sum * 0x1p-14);
    } else {
      return all[i][j][c];
    }
  }
};

/// One stage: copy, wait, split and multiply, wait.
template <class S>
__global__ void __launch_bounds__(128) gemm_warps(const Product g) {
  using Number = typename S::Number;
  __shared__ FloatTiles<Number> tiles;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int across = (g.n - 1) / tile_extent + 1;
  const int row = static_cast<int>(blockIdx.x) / across * tile_extent;
  const int col = static_cast<int>(blockIdx.x) % across * tile_extent;
  const int warp_row = warp / 2 * 32;
  const int warp_col = warp % 2 * 32;
  WarpSums<S> sums;
  sums.clear();
  for (int first = 0; first < g.k; first += tile_depth) {
    copy_tiles<Number>(tiles, g, row, col, first);
    __syncthreads();
    sums.multiply(tiles, warp_row, warp_col);
    if constexpr (S::interval > 0) {
      if ((first + tile_depth) % S::interval == 0) sums.promote();
    }
    __syncthreads();
  }
  sums.promote();
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
      for (int c = 0; c < 4; ++c) {
        const int y = row + warp_row + 16 * i + lane / 4 + 8 * (c / 2);
        const int x = col + warp_col + 8 * j + lane % 4 * 2 + c % 2;
        if (y >= g.m || x >= g.n) continue;
        float result = sums.result(i, j, c);
        if constexpr (Number::scales) {
          result = times_power(result, -exponent_to(Number::top, g.largest_A[y]) -
                                           exponent_to(Number::top, g.largest_B[x]));
        }
        g.C[static_cast<std::size_t>(y) * g.n + x] = result;
      }
    }
  }
}

}  // namespace fp32
