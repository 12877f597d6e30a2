/// @file
/// The epilogue of other formats: scales of FP8, alpha and beta, and the way to a C of any type.
#pragma once

#include <utility>

#include "format_instructions.hpp"
#include "storage.hpp"

namespace hopper {

/// FP32 to an element of C.
template <class C>
__host__ __device__ C rounded_to(float value) {
  if constexpr (std::is_same_v<C, float>) {
    return value;
  } else if constexpr (std::is_same_v<C, Half>) {
    return __float2half(value);
  } else {
    return __float2bfloat16(value);
  }
}

/// An element of C, or of another matrix, as FP32.
template <class T>
__host__ __device__ float to_float(T value) {
  return static_cast<float>(value);
}

#ifndef COURSE_WITHOUT_WGMMA

/// Two neighbours of C's, as they are in memory.
template <class C>
struct alignas(2 * sizeof(C)) PairOf {
  C first, second;
};

/// The scales of a warp's part of a tile, loaded before they are needed: of each of a thread's
/// rows; and of the columns, lane l has every 32nd from l on.
template <class Tile>
struct TileScales {
  static constexpr bool exist = sizeof(typename Tile::Format::A) == 1;  // of FP8 only
  float rows[exist ? Tile::products : 1][2];
  float cols[exist ? Tile::cols / 32 : 1];

  /// @param row the warp's first of the first product; of the next product it is 64 rows below
  template <class Product>
  __device__ TileScales(const Product& g, int matrix, int row, int col) {
    if constexpr (exist) {
      const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
      for (int i = 0; i < 2 * Tile::products; ++i) {
        const int y = row + 64 * (i / 2) + lane / 4 + 8 * (i % 2);
        rows[i / 2][i % 2] = g.scale_A.of(matrix, g.m, min(y, g.m - 1));
      }
#pragma unroll
      for (int i = 0; i < Tile::cols / 32; ++i) {
        cols[i] = g.scale_B.of(matrix, g.n, min(col + 32 * i + lane, g.n - 1));
      }
    }
  }
};

/// What alpha, the scales, beta and C make of some of a warp's sums, in place: `count` of each
/// thread, in 16 rows, from column `first` of the tile on.
template <int count, int first, class Tile, class Product>
__forceinline__ __device__ void finish_sums(float* d, const Product& g,
                                            const TileScales<Tile>& scales, int p, int matrix,
                                            int row, int col) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int i = 0; i < count; ++i) {  // of each four sums two are in the upper row
    d[i] *= g.alpha;
    if constexpr (TileScales<Tile>::exist) {
      const int x = first + i / 4 * 8;  // and some columns, by lane
      d[i] *= scales.rows[p][i / 2 % 2] *
              __shfl_sync(~0U, scales.cols[x / 32], x % 32 + lane % 4 * 2 + i % 2);
    }
  }
  if (g.beta == 0.0F) return;
  const auto* C = g.C + matrix * g.stride_C;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    const int y = row + lane / 4 + 8 * (i / 2 % 2);
    const int x = col + i / 4 * 8 + lane % 4 * 2 + i % 2;
    d[i] += g.beta * to_float(C[min(y, g.m - 1) * g.ldc + min(x, g.n - 1)]);
  }
}

/// The same sums to C; each lane writes its own. `pairs`: two of them are aligned together.
template <int count, class Product>
__forceinline__ __device__ void write_sums(const float* d, const Product& g, int matrix, int row,
                                           int col, bool pairs) {
  using C = typename Product::ElementC;
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int y = row + lane / 4 + 8 * half;
    if (y >= g.m) continue;
    C* line = g.C + matrix * g.stride_C + y * g.ldc;
#pragma unroll
    for (int c = 0; c < count / 4; ++c) {
      const int x = col + 8 * c + lane % 4 * 2;
      const PairOf<C> pair = {rounded_to<C>(d[4 * c + 2 * half]),
                              rounded_to<C>(d[4 * c + 2 * half + 1])};
      if (pairs && x + 1 < g.n) {
        *reinterpret_cast<PairOf<C>*>(line + x) = pair;
      } else {
        if (x < g.n) line[x] = pair.first;
        if (x + 1 < g.n) line[x + 1] = pair.second;
      }
    }
  }
}

/// Some of a warp's sums to shared memory, as the map of C expects them: 16 rows of 128 bytes.
template <class C>
__device__ void stage_sums(const float* sums, unsigned char* piece) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if constexpr (sizeof(C) == 4) {  // 32 columns
#pragma unroll
    for (int i = 0; i < 16; i += 2) {
      const int y = lane / 4 + 8 * (i / 2 % 2);
      const int byte = i / 4 * 32 + lane % 4 * 8;
      *reinterpret_cast<float2*>(piece + y * 128 + (byte ^ y % 8 * 16)) =
          make_float2(sums[i], sums[i + 1]);
    }
  } else {  // 64 columns
    const int y = lane % 16;
    const auto word = [&](int i) {
      const PairOf<C> pair = {rounded_to<C>(sums[i]), rounded_to<C>(sums[i + 1])};
      return *reinterpret_cast<const std::uint32_t*>(&pair);
    };
#pragma unroll
    for (int c = 0; c < 8; c += 2) {  // sixteen columns: four matrices
      const std::uint32_t words[4] = {word(4 * c), word(4 * c + 2), word(4 * c + 4),
                                      word(4 * c + 6)};
      store_matrices<false>(piece + y * 128 + ((c + lane / 16) ^ y % 8) * 16, words);
    }
  }
}

/// A warp's way to C, by its map or each lane on its own.
template <class Tile, class Product>
struct SumWriter {
  EpilogueBuffer<Tile>& buffer;  ///< the warp's own
  const CUtensorMap& map;
  const Product& g;
  Output output;
  int turn = 0;  ///< while one piece is read, the next is staged

  /// @param p the number of the product in the tile: which rows
  __forceinline__ __device__ void operator()(const float (&d)[Tile::cols / 2],
                                             const TileScales<Tile>& scales, int p, int matrix,
                                             int row, int col) {
    const bool is_finished = g.alpha == 1.0F && g.beta == 0.0F && g.scale_A.values == nullptr &&
                             g.scale_B.values == nullptr;
    each_piece(std::make_integer_sequence<int, Tile::cols / piece_cols>{}, [&]<int i>() {
      float sums[piece_cols / 2];
#pragma unroll
      for (int j = 0; j < piece_cols / 2; ++j) sums[j] = d[piece_cols / 2 * i + j];
      const int x = col + piece_cols * i;
      if (!is_finished) {
        finish_sums<piece_cols / 2, piece_cols * i>(sums, g, scales, p, matrix, row, x);
      }
      if (output == Output::map) {
        by_map(sums, matrix, row, x);
      } else {
        write_sums<piece_cols / 2>(sums, g, matrix, row, x, output == Output::pairs);
      }
      __syncwarp();  // the compiler shall not load everything at once
    });
  }

 private:
  using C = typename Product::ElementC;
  static constexpr int piece_cols = 128 / sizeof(C);

  template <int... i, class Visit>
  __device__ static void each_piece(std::integer_sequence<int, i...>, Visit visit) {
    (visit.template operator()<i>(), ...);
  }
  __forceinline__ __device__ void by_map(const float* sums, int matrix, int row, int col) {
    const bool copies = threadIdx.x % 32 == 0;
    unsigned char* piece = buffer.piece[turn];
    turn ^= 1;
    if (copies) wait_until_read<1>();  // the previous contents of this piece
    __syncwarp();
    stage_sums<C>(sums, piece);
    fence_for_copies();
    __syncwarp();
    if (copies) {
      copy_out(map, col, row, matrix, piece);
      commit_copies_out();
    }
  }
};

#endif

}  // namespace hopper
