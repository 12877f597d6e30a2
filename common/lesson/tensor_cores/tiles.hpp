/// @file
/// A product, tensor maps of its matrices, and the sizes of a block's tiles.
#pragma once

#include "check.hpp"
#include "instructions.hpp"
#include "tensor_map.hpp"

namespace hopper {

using Bf16 = __nv_bfloat16;

/// What is computed of each element before it is rounded.
enum class Activation { none, relu, gelu };

/// C = f(alpha A B + beta C + bias), row-major: A is m x k, B is k x n, C is m x n. ld: distance
/// from one row to the next, in numbers.
struct Product {
  const Bf16* A;
  const Bf16* B;
  Bf16* C;
  int m, n, k;
  std::int64_t lda, ldb, ldc;
  float alpha = 1.0F;
  float beta = 0.0F;           ///< if 0, C is not read
  const Bf16* bias = nullptr;  ///< n numbers, the same for each row; or none
  Activation activation = Activation::none;

  /// Whether C is A B, and nothing else.
  __host__ __device__ bool is_plain() const {
    return alpha == 1.0F && beta == 0.0F && bias == nullptr && activation == Activation::none;
  }
};

/// The shape of a cluster of blocks, which compute neighbouring tiles of C. Those in a column share
/// tiles of B, those in a row tiles of A. A launch chooses it. Both are powers of two.
struct Cluster {
  int down = 1;
  int across = 1;

  __host__ __device__ int size() const { return down * across; }
  /// The blocks that copy into a block, itself included.
  __host__ __device__ int partners() const { return down + across - 1; }
};

/// A block's tile of C, computed by `groups` consumer warpgroups.
///
/// A product of the tensor cores has 64 rows and any multiple of 16 as its width. If the tile is
/// `swapped`, they compute its transpose, Bᵀ times Aᵀ: then the 64 rows are columns of C, and a
/// tile may have any multiple of 16 rows. The warpgroups are next to each other then, otherwise one
/// below the other. Tiles whose columns are not multiples of 64 are only for a C that is no wider.
template <int rows_, int cols_, int groups_, int stages_, bool swapped_ = false>
struct Tile {
  static constexpr int rows = rows_;
  static constexpr int cols = cols_;
  static constexpr int depth = 64;  ///< along k: 128 bytes, as wide as the swizzle
  static constexpr int groups = groups_;
  static constexpr int stages = stages_;
  static constexpr bool swapped = swapped_;
  static constexpr int products = (swapped ? cols : rows) / groups / 64;  ///< per warpgroup
  static constexpr int sums = (swapped ? rows : cols) / 2;  ///< of a product, per thread
  static constexpr int slabs = (cols + 63) / 64;            ///< of B, 64 columns each
  static constexpr int slab = depth * 128;                  ///< bytes
  static constexpr int bytes_A = rows * 128;
  static constexpr int bytes_B = slabs * slab;
  static constexpr int warps = 4 * groups;      ///< of the consumers
  static constexpr int threads = 128 * groups;  ///< likewise
  static_assert(products * groups * 64 == (swapped ? cols : rows) && sums % 8 == 0);
};
template <int rows, int cols, int groups, int stages>
using Swapped = Tile<rows, cols, groups, stages, true>;

/// Whether a cluster of this shape can share such tiles: each block brings whole groups of eight
/// rows, as they are swizzled.
template <class Tile>
constexpr bool suits_cluster(Cluster cluster) {
  return Tile::rows % (8 * cluster.across) == 0 && Tile::depth % (8 * cluster.down) == 0;
}

/// Whether the kernels with such tiles may compute a C with this many columns.
template <class Tile>
constexpr bool suits_tiles(int n) {
  return Tile::cols % 64 == 0 || n <= Tile::cols;
}

/// The tiles of whole clusters that cover C, including those that are partly out of bounds: in a
/// column ...
template <class Tile>
__host__ __device__ int cluster_tiles_down(int m, Cluster cluster = {}) {
  return (m - 1) / (Tile::rows * cluster.down) + 1;
}
/// ... in a row, ...
template <class Tile>
__host__ __device__ int cluster_tiles_across(int n, Cluster cluster = {}) {
  return (n - 1) / (Tile::cols * cluster.across) + 1;
}
/// ... and in all.
template <class Tile>
__host__ __device__ int cluster_tile_count(int m, int n, Cluster cluster = {}) {
  return cluster_tiles_down<Tile>(m, cluster) * cluster_tiles_across<Tile>(n, cluster);
}

/// A stage: a tile of A and one of B. Swizzled tiles begin at multiples of 1,024 bytes.
template <class Tile>
struct alignas(1024) Stage {
  unsigned char A[Tile::bytes_A];
  unsigned char B[Tile::bytes_B];
};

// ---------------------------------------------------------------- tensor maps

/// Whether a map of such rows is possible: each is aligned to 16 bytes.
inline bool suits_maps(const void* matrix, std::int64_t ld) {
  return reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && ld % 8 == 0;
}

/// All maps of a product. If C's rows are not aligned, its map is not used.
struct Maps {
  CUtensorMap A, B, C;

  /// The heights of boxes.
  Maps(const Product& g, int rows_of_A, int rows_of_B, int rows_of_C = 16) {
    course::make_swizzled_map(A, g.A, g.m, g.k, g.lda, rows_of_A);
    course::make_swizzled_map(B, g.B, g.k, g.n, g.ldb, rows_of_B);
    C = B;
    if (suits_maps(g.C, g.ldc)) course::make_swizzled_map(C, g.C, g.m, g.n, g.ldc, rows_of_C);
  }
};

// ---------------------------------------------------------------- in a kernel

#ifndef COURSE_WITHOUT_WGMMA

/// Row and column of a tile, of `down` times `across`. `band_height` rows of tiles form a band, in
/// which they are numbered down the columns: concurrent blocks share what they read.
inline __device__ int2 tile_place(int number, int down, int across, int band_height) {
  int band = 0;
  if (number >= band_height * across) band = number / (band_height * across) * band_height;
  const int rows = min(band_height, down - band);
  const int place = number - band * across;
  return make_int2(band + place % rows, place / rows);
}

#endif

}  // namespace hopper
