/// @file
/// A product, tensor maps of its matrices, the sizes of a block's tiles, and the epilogue to C.
#pragma once

#include "course.hpp"
#include "instructions.hpp"
#include "tensor_map.hpp"

namespace hopper {

using Bf16 = __nv_bfloat16;

/// C = A B, row-major: A is m x k, B is k x n, C is m x n. ld: distance from one row to the next,
/// in numbers.
struct Product {
  const Bf16* A;
  const Bf16* B;
  Bf16* C;
  int m, n, k;
  std::int64_t lda, ldb;  ///< C's is n
};

/// A block's tile of C, computed by `groups` consumer warpgroups, one below the other. The blocks
/// of a cluster compute neighbouring tiles, `down` by `across`: those in a column share tiles of B,
/// those in a row tiles of A.
template <int rows_, int cols_, int groups_, int stages_, int down_ = 1, int across_ = 1>
struct Tile {
  static constexpr int rows = rows_;
  static constexpr int cols = cols_;
  static constexpr int depth = 64;  ///< along k: 128 bytes, as wide as the swizzle
  static constexpr int groups = groups_;
  static constexpr int stages = stages_;
  static constexpr int down = down_;
  static constexpr int across = across_;
  static constexpr int cluster = down * across;        ///< blocks
  static constexpr int partners = down + across - 1;   ///< that copy into a block, itself included
  static constexpr int products = rows / groups / 64;  ///< of 64 rows, per warpgroup
  static constexpr int slabs = cols / 64;              ///< of B, 64 columns each
  static constexpr int slab = depth * 128;             ///< bytes
  static constexpr int bytes_A = rows * 128;
  static constexpr int bytes_B = slabs * slab;
  static constexpr int warps = 4 * groups;  ///< of the consumers
  static_assert(products * groups * 64 == rows && slabs * 64 == cols && slabs % down == 0 &&
                rows % (8 * across) == 0);
};

/// The number of cluster tiles that cover C, including those that are partly out of bounds.
template <class Tile>
__host__ __device__ int cluster_tile_count(int m, int n) {
  return ((m - 1) / (Tile::rows * Tile::down) + 1) * ((n - 1) / (Tile::cols * Tile::across) + 1);
}

/// A stage: a tile of A and one of B. Swizzled tiles begin at multiples of 1,024 bytes.
template <class Tile>
struct alignas(1024) Stage {
  unsigned char A[Tile::bytes_A];
  unsigned char B[Tile::bytes_B];
};

/// Two pieces of C for each warp, 16 rows of 64 columns: while one is written the other is read.
struct alignas(1024) EpilogueBuffer {
  unsigned char piece[2][16 * 128];
};

/// A block's shared memory.
template <class Tile, bool by_map>
struct Storage {
  Stage<Tile> stage[Tile::stages];
  EpilogueBuffer epilogue[by_map ? Tile::warps : 1];
  Barrier full[Tile::stages];   ///< the stage has arrived
  Barrier empty[Tile::stages];  ///< all warps have multiplied it
};

// ---------------------------------------------------------------- tensor maps

/// Whether a map of such rows is possible: each is aligned to 16 bytes.
inline bool suits_maps(const void* matrix, std::int64_t ld) {
  return reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && ld % 8 == 0;
}

/// All maps of a product. If C's rows are not aligned, its map is not used.
struct Maps {
  CUtensorMap A, B, C;

  Maps(const Product& g, int rows_of_A) {
    course::make_swizzled_map(A, g.A, g.m, g.k, g.lda, rows_of_A);
    course::make_swizzled_map(B, g.B, g.k, g.n, g.ldb, 64);
    C = B;
    if (suits_maps(g.C, g.n)) course::make_swizzled_map(C, g.C, g.m, g.n, g.n, 16);
  }
};

// ---------------------------------------------------------------- in a kernel

#ifndef COURSE_WITHOUT_WGMMA

/// Where the cluster's tiles with this number begin. `band_height` rows of tiles form a
/// band, in which they are numbered down the columns: concurrent blocks share what they
/// read.
template <class Tile>
__device__ int2 place_of(int number, int m, int n, int band_height) {
  const int across = (n - 1) / (Tile::cols * Tile::across) + 1;
  const int down = cluster_tile_count<Tile>(m, n) / across;
  const int band = number / (band_height * across) * band_height;
  const int rows = min(band_height, down - band);
  const int place = number - band * across;
  return make_int2((band + place % rows) * Tile::rows * Tile::down,
                   place / rows * Tile::cols * Tile::across);
}

/// Two sums as numbers of BF16 in a word, the first in the lower half.
inline __device__ std::uint32_t pair_of(float first, float second) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
  return *reinterpret_cast<const std::uint32_t*>(&both);
}

/// A warp's sums of one product, 16 rows, to C; each lane writes its own. `pairs`: each row is
/// aligned to 4 bytes.
template <int count>
__device__ void write_sums(const float (&d)[count], Bf16* C, int m, int n, int row, int col,
                           bool pairs) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int y = row + lane / 4 + 8 * half;
    if (y >= m) continue;
    Bf16* line = C + std::int64_t{y} * n;
#pragma unroll
    for (int c = 0; c < count / 4; ++c) {
      const int x = col + 8 * c + lane % 4 * 2;
      const float first = d[4 * c + 2 * half];
      const float second = d[4 * c + 2 * half + 1];
      if (pairs && x + 1 < n) {
        *reinterpret_cast<std::uint32_t*>(line + x) = pair_of(first, second);
      } else {
        if (x < n) line[x] = __float2bfloat16(first);
        if (x + 1 < n) line[x + 1] = __float2bfloat16(second);
      }
    }
  }
}

/// The same through shared memory, and from there by the map, 64 columns at a time. Each warp does
/// this on its own. `pieces`: the warp's own.
template <int count>
__device__ void copy_sums(const float (&d)[count], EpilogueBuffer& pieces, const CUtensorMap& map,
                          int row, int col) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int y = lane % 16;  // of the row whose address this lane gives to stmatrix
#pragma unroll
  for (int part = 0; part < count / 32; ++part) {
    unsigned char* piece = pieces.piece[part % 2];
    if (lane == 0) wait_until_read<(count > 32 ? 1 : 0)>();  // the previous contents of this piece
    __syncwarp();
#pragma unroll
    for (int c = 0; c < 8; c += 2) {  // sixteen columns: four matrices
      const float* sums = d + 4 * (8 * part + c);
      const std::uint32_t words[4] = {pair_of(sums[0], sums[1]), pair_of(sums[2], sums[3]),
                                      pair_of(sums[4], sums[5]), pair_of(sums[6], sums[7])};
      store_matrices(piece + y * 128 + ((c + lane / 16) ^ y % 8) * 16, words);
    }
    fence_for_copies();
    __syncwarp();
    if (lane == 0) {
      copy_out(map, col + 64 * part, row, piece);
      commit_copies_out();
    }
  }
}

#endif

}  // namespace hopper
