/// @file
/// A product, tensor maps of its matrices, the sizes of a block's tiles, and the epilogue to C.
#pragma once

#include "course.hpp"
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
  static constexpr int warps = 4 * groups;      ///< of the consumers
  static constexpr int threads = 128 * groups;  ///< likewise
  static_assert(products * groups * 64 == rows && slabs * 64 == cols && depth % (8 * down) == 0 &&
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
  bool answer[2];               ///< of thread 0 to all consumer threads
};

// ---------------------------------------------------------------- tensor maps

/// Whether a map of such rows is possible: each is aligned to 16 bytes.
inline bool suits_maps(const void* matrix, std::int64_t ld) {
  return reinterpret_cast<std::uintptr_t>(matrix) % 16 == 0 && ld % 8 == 0;
}

/// All maps of a product. If C's rows are not aligned, its map is not used.
struct Maps {
  CUtensorMap A, B, C;

  Maps(const Product& g, int rows_of_A, int rows_of_B) {
    course::make_swizzled_map(A, g.A, g.m, g.k, g.lda, rows_of_A);
    course::make_swizzled_map(B, g.B, g.k, g.n, g.ldb, rows_of_B);
    C = B;
    if (suits_maps(g.C, g.ldc)) course::make_swizzled_map(C, g.C, g.m, g.n, g.ldc, 16);
  }
};

// ---------------------------------------------------------------- in a kernel

/// How C is written: by its map, in rows through shared memory; or each lane its own, two elements
/// at a time or one.
enum class Output { map, rows, pairs, single };

/// What C shall contain at a place.
inline __device__ Bf16 finished(float sum, const Product& g, const Bf16* before, int col) {
  float value = g.alpha * sum;
  if (g.beta != 0.0F) value += g.beta * __bfloat162float(*before);
  if (g.bias != nullptr) value += __bfloat162float(g.bias[col]);
  if (g.activation == Activation::relu) value = fmaxf(value, 0.0F);
  if (g.activation == Activation::gelu) value *= 0.5F + 0.5F * erff(value * 0.70710678F);
  return __float2bfloat16(value);
}

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
__device__ void write_sums(const float (&d)[count], const Product& g, int row, int col,
                           bool pairs) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int y = row + lane / 4 + 8 * half;
    if (y >= g.m) continue;
    Bf16* line = g.C + y * g.ldc;
#pragma unroll
    for (int c = 0; c < count / 4; ++c) {
      const int x = col + 8 * c + lane % 4 * 2;
      const float first = d[4 * c + 2 * half];
      const float second = d[4 * c + 2 * half + 1];
      if (pairs && x + 1 < g.n) {
        *reinterpret_cast<std::uint32_t*>(line + x) = pair_of(first, second);
      } else {
        if (x < g.n) line[x] = __float2bfloat16(first);
        if (x + 1 < g.n) line[x + 1] = __float2bfloat16(second);
      }
    }
  }
}

/// A piece of C is what a warp writes at once: 16 rows of 64 columns, 32 sums of each thread. This
/// brings it to shared memory as BF16, swizzled as the map expects it.
inline __device__ void stage_piece(const float* sums, unsigned char* piece) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int y = lane % 16;  // of the row whose address this lane gives to stmatrix
#pragma unroll
  for (int c = 0; c < 8; c += 2, sums += 8) {  // sixteen columns: four matrices
    const std::uint32_t words[4] = {pair_of(sums[0], sums[1]), pair_of(sums[2], sums[3]),
                                    pair_of(sums[4], sums[5]), pair_of(sums[6], sums[7])};
    store_matrices(piece + y * 128 + ((c + lane / 16) ^ y % 8) * 16, words);
  }
}

/// The same in FP32, and swizzled so that no two lanes meet in a bank.
inline __device__ void stage_floats(const float* sums, float* piece) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
  for (int i = 0; i < 32; i += 2) {
    const int y = lane / 4 + 8 * (i / 2 % 2);
    const int x = (8 * (i / 4) ^ 8 * (y % 8)) + lane % 4 * 2;
    *reinterpret_cast<float2*>(piece + 64 * y + x) = make_float2(sums[i], sums[i + 1]);
  }
}

/// A row of a piece to C, where rows may begin anywhere. A word of C has two elements; an odd row
/// begins in the middle of one. `finish`: of a sum and its column.
template <class Finish>
__device__ void write_row(const float* piece, int y, Bf16* line, int cols, Finish finish) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int odd = static_cast<int>(reinterpret_cast<std::uintptr_t>(line) / sizeof(Bf16) % 2);
  const auto element = [&](int x) { return finish(piece[64 * y + (x ^ 8 * (y % 8))], x); };
  const int x = 2 * lane + odd;
  if (x + 1 < cols) {
    *reinterpret_cast<__nv_bfloat162*>(line + x) = {element(x), element(x + 1)};
  } else if (x < cols) {
    line[x] = element(x);
  }
  if (odd && lane == 0 && cols > 0) line[0] = element(0);
}

/// From shared memory to C, row after row.
inline __device__ void write_rows(const float* piece, const Product& g, int row, int col) {
  const int rows = min(16, g.m - row);
  const int cols = min(64, g.n - col);
  Bf16* line = g.C + row * g.ldc + col;
  if (g.is_plain()) {
#pragma unroll 4
    for (int y = 0; y < rows; ++y, line += g.ldc) {
      write_row(piece, y, line, cols, [](float sum, int) { return __float2bfloat16(sum); });
    }
  } else {
#pragma unroll 1  // its code would not fit into the instruction cache
    for (int y = 0; y < rows; ++y, line += g.ldc) {
      write_row(piece, y, line, cols,
                [&](float sum, int x) { return finished(sum, g, line + x, col + x); });
    }
  }
}

/// A warp's way to C through shared memory, piece after piece. No other warp takes part.
struct PieceWriter {
  EpilogueBuffer& buffer;  ///< the warp's own
  const CUtensorMap& map;
  const Product& g;
  Output output;
  int turn = 0;  ///< while one piece is read, the next is staged

  __device__ void operator()(const float* sums, int row, int col) {
    if (output == Output::map) {
      by_map(sums, row, col);
    } else {
      float* piece = reinterpret_cast<float*>(buffer.piece);  // both
      __syncwarp();                                           // the previous contents were read
      stage_floats(sums, piece);
      __syncwarp();
      write_rows(piece, g, row, col);
    }
  }

 private:
  __device__ void by_map(const float* sums, int row, int col) {
    unsigned char* piece = buffer.piece[turn];
    turn ^= 1;
    const bool copies = threadIdx.x % 32 == 0;
    if (copies) wait_until_read<1>();  // the previous contents of this piece
    __syncwarp();
    stage_piece(sums, piece);
    fence_for_copies();
    __syncwarp();
    if (copies) {
      copy_out(map, col, row, piece);
      commit_copies_out();
    }
  }
};

#endif

}  // namespace hopper
