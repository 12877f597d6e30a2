/// @file
/// The epilogue: sums in registers, and their way to C.
#pragma once

#include <algorithm>

#include "tensor_cores/storage.hpp"

namespace hopper {

/// Swapped pieces one below the other are one copy: of at most `most`, as many as have room. All
/// copies of a product are of the same size.
template <class Tile>
constexpr int pieces_of_copy(int most = 16) {
  using Buffer = EpilogueBuffer<Tile>;
  int count = Tile::swapped ? std::min({most, Buffer::of_product, Buffer::count}) : 1;
  while (Buffer::of_product % count != 0) --count;
  return count;
}

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

/// Where an element of a piece in FP32 is: swizzled so that no two lanes meet in a bank when sums
/// are written, be they of rows or, swapped, of columns.
inline __device__ int float_place(int y, int x) {
  return 64 * y + (x ^ 8 * (y % 4 ^ y / 4 % 2));
}

/// A row of a piece to C, where rows may begin anywhere. A word of C has two elements; an odd row
/// begins in the middle of one. `finish`: of a sum and its column.
template <class Finish>
__device__ void write_row(const float* piece, int y, Bf16* line, int cols, Finish finish) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int odd = static_cast<int>(reinterpret_cast<std::uintptr_t>(line) / sizeof(Bf16) % 2);
  const auto element = [&](int x) { return finish(piece[float_place(y, x)], x); };
  const int x = 2 * lane + odd;
  if (x + 1 < cols) {
    *reinterpret_cast<__nv_bfloat162*>(line + x) = {element(x), element(x + 1)};
  } else if (x < cols) {
    line[x] = element(x);
  }
  if (odd && lane == 0 && cols > 0) line[0] = element(0);
}

/// A warp's rows of a piece from shared memory to C, one after the other: from `first` on every
/// nth, where n is `step`.
template <int step>
__device__ void write_rows(const float* piece, const Product& g, int row, int col, int first) {
  const int rows = min(16, g.m - row);
  const int cols = min(64, g.n - col);
  Bf16* line = g.C + (row + first) * g.ldc + col;
  if (g.is_plain()) {
#pragma unroll 4
    for (int y = first; y < rows; y += step, line += step * g.ldc) {
      write_row(piece, y, line, cols, [](float sum, int) { return __float2bfloat16(sum); });
    }
  } else {
#pragma unroll 1  // its code would not fit into the instruction cache
    for (int y = first; y < rows; y += step, line += step * g.ldc) {
      write_row(piece, y, line, cols,
                [&](float sum, int x) { return finished(sum, g, line + x, col + x); });
    }
  }
}

/// How the pieces of a tile are spread over threads: each warp has its own.
template <class Tile>
struct PiecesOfWarps {
  static constexpr int sums = Tile::sums < 32 ? Tile::sums : 32;  ///< of a piece, per thread

  static __device__ int buffer() { return static_cast<int>(threadIdx.x) / 32; }
  static __device__ int number() { return static_cast<int>(threadIdx.x) % 32; }  ///< of its threads
  static __device__ void sync() { __syncwarp(); }
  /// Where the piece with this number begins, in the tile.
  static __device__ int2 place(int product, int piece) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int row = 64 * (warp / 4 * Tile::products + product) + 16 * (warp % 4);
    return make_int2(row, 64 * piece);
  }
  /// Sums to shared memory as BF16, swizzled as the map expects it.
  static __device__ void stage(const float* sums_, unsigned char* piece) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int y = lane % 16;  // of the row whose address this lane gives to stmatrix
#pragma unroll
    for (int c = 0; c < sums / 4; c += 2, sums_ += 8) {  // sixteen columns: four matrices
      const std::uint32_t words[4] = {pair_of(sums_[0], sums_[1]), pair_of(sums_[2], sums_[3]),
                                      pair_of(sums_[4], sums_[5]), pair_of(sums_[6], sums_[7])};
      store_matrices<false>(piece + y * 128 + ((c + lane / 16) ^ y % 8) * 16, words);
    }
  }
  /// The same in FP32.
  static __device__ void stage_floats(const float* sums_, float* piece) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int i = 0; i < sums; i += 2) {
      const int y = lane / 4 + 8 * (i / 2 % 2);
      const int x = 8 * (i / 4) + lane % 4 * 2;
      *reinterpret_cast<float2*>(piece + float_place(y, x)) = make_float2(sums_[i], sums_[i + 1]);
    }
  }
  static __device__ void write_floats(const float* piece, const Product& g, int row, int col) {
    write_rows<1>(piece, g, row, col, 0);
  }
};

/// The same if products are swapped: a piece has 16 columns of each warp of a warpgroup.
template <class Tile>
struct PiecesOfGroups {
  static constexpr int sums = 8;

  static __device__ int buffer() { return static_cast<int>(threadIdx.x) / 128; }
  static __device__ int number() { return static_cast<int>(threadIdx.x) % 128; }
  static __device__ void sync() {
    asm volatile("bar.sync %0, 128;" ::"r"(2 + buffer()) : "memory");
  }
  static __device__ int2 place(int product, int piece) {
    return make_int2(16 * piece, 64 * (buffer() * Tile::products + product));
  }
  static __device__ void stage(const float* sums_, unsigned char* piece) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int y = lane / 16 * 8 + lane % 8;
    const int sixteen = static_cast<int>(threadIdx.x) / 32 % 4 * 2 + lane / 8 % 2;
    const std::uint32_t words[4] = {pair_of(sums_[0], sums_[1]), pair_of(sums_[2], sums_[3]),
                                    pair_of(sums_[4], sums_[5]), pair_of(sums_[6], sums_[7])};
    store_matrices<true>(piece + y * 128 + (sixteen ^ y % 8) * 16, words);
  }
  static __device__ void stage_floats(const float* sums_, float* piece) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
#pragma unroll
    for (int i = 0; i < sums; ++i) {
      const int y = 8 * (i / 4) + lane % 4 * 2 + i % 2;
      const int x = static_cast<int>(threadIdx.x) / 32 % 4 * 16 + lane / 4 + 8 * (i / 2 % 2);
      piece[float_place(y, x)] = sums_[i];
    }
  }
  static __device__ void write_floats(const float* piece, const Product& g, int row, int col) {
    write_rows<4>(piece, g, row, col, static_cast<int>(threadIdx.x) / 32 % 4);
  }
};

template <class Tile>
using Pieces = std::conditional_t<Tile::swapped, PiecesOfGroups<Tile>, PiecesOfWarps<Tile>>;

/// The way of a tile to C through shared memory: as many pieces as have room are staged, and then
/// copied out.
template <class Tile, int most = 16>
struct TileWriter : Pieces<Tile> {
  using P = Pieces<Tile>;
  using Buffer = EpilogueBuffer<Tile>;
  static constexpr int of_product = Buffer::of_product;
  static constexpr int all = Tile::products * of_product;
  static constexpr int of_copy = pieces_of_copy<Tile>(most);
  static constexpr bool fits = all <= Buffer::count;
  static constexpr bool alternates = !fits && 2 * of_copy <= Buffer::count;  ///< between two halves
  static constexpr int batch =  ///< pieces that are staged before one sync()
      fits         ? all
      : alternates ? Buffer::count / 2 / of_copy * of_copy
                   : of_copy;

  Buffer& buffer;
  const CUtensorMap& map;
  const Product& g;
  Output output;
  int turn = 0;  ///< where in the buffer the next piece goes

  /// @param at    where the tile begins
  /// @param every writes each nth copy only, and of these the one with number `first` first
  __device__ void operator()(const float (&d)[Tile::products][Tile::sums], int2 at, int first = 0,
                             int every = 1) {
    if (output == Output::map) {
#pragma unroll
      for (int from = 0; from < all; from += batch) {
        by_map(d, at, from, first, every);
      }
    } else {
#pragma unroll 1  // the code that writes rows exists once: so it fits into the instruction cache
      for (int i = 0; i < all; ++i) {
        if (i / of_copy % every == first) by_rows(d, at, i);
      }
    }
  }

 private:
  static __device__ const float* sums_of(const float (&d)[Tile::products][Tile::sums], int piece) {
    return d[piece / of_product] + piece % of_product * P::sums;
  }
  __device__ void by_map(const float (&d)[Tile::products][Tile::sums], int2 at, int from, int first,
                         int every) {
    const bool copies = P::number() < batch / of_copy;
    if (copies) wait_until_read<alternates ? 1 : 0>();  // what these places had before
    P::sync();
#pragma unroll
    for (int i = from; i < from + batch && i < all; ++i) {
      if (i / of_copy % every != first) continue;
      P::stage(sums_of(d, i), buffer.piece[turn + i - from]);
    }
    fence_for_copies();
    P::sync();
    const int mine = from + P::number() * of_copy;
    if (copies) {
      if (mine < all && mine / of_copy % every == first) {
        const int2 in_tile = P::place(mine / of_product, mine % of_product);
        copy_out(map, at.y + in_tile.y, at.x + in_tile.x, buffer.piece[turn + mine - from]);
      }
      commit_copies_out();  // also an empty group: groups count halves
    }
    if constexpr (alternates) turn ^= batch;
  }
  __device__ void by_rows(const float (&d)[Tile::products][Tile::sums], int2 at, int piece) {
    float* staged = reinterpret_cast<float*>(buffer.piece[0]);
    P::sync();  // the previous contents were read
#pragma unroll
    for (int i = 0; i < all; ++i) {
      if (i == piece) P::stage_floats(sums_of(d, i), staged);
    }
    P::sync();
    const int2 in_tile = P::place(piece / of_product, piece % of_product);
    P::write_floats(staged, g, at.x + in_tile.x, at.y + in_tile.y);
  }
};

#endif

}  // namespace hopper
