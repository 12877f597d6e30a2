/// @file
/// A warp that multiplies floats, transposed: the transposed product takes fewer loads.
#pragma once

#include "tiles.hpp"

namespace tensor {

/// A warp that multiplies floats. No load transposes those, so here the product is transposed: B's
/// columns are the rows of the first matrix, and A's rows the columns of the second. Then
/// `ldmatrix` loads A, and a lane's words of B are neighbours in pairs, if its columns are chosen
/// well.
template <class Tile>
class TransposedWarpTile : public Sums<typename Tile::T> {
 public:
  __device__ TransposedWarpTile() {
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    row_ = warp % Tile::down * 64;
    col_ = warp / Tile::down * 64;
    g_ = lane / 4;
    t_ = lane % 4;
    line_ = lane % 8 + lane / 16 * 8;
    half_ = lane / 8 % 2 * 16;
  }

  /// The fragments of a stage's quarter, of B in a, of A in b. They must still be rounded, in four
  /// parts, once they have arrived.
  __device__ void read(Fragments& to, const char* stage, int quarter) const {
    const char* B = stage + Tile::bytes_A;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const int row = 8 * quarter + t_ + 4 * r;
        const auto two = *reinterpret_cast<const uint2*>(B + row * Tile::pitch_B +
                                                         Tile::LayoutB::at(4 * column(i), row));
        to.a[i][2 * r] = two.x;
        to.a[i][2 * r + 1] = two.y;
      }
    }
    const char* A = stage + (row_ + line_) * Tile::pitch_A;
#pragma unroll
    for (int j = 0; j < 8; j += 2) {
      const int x = Tile::LayoutA::at(32 * quarter + half_, line_);
      std::uint32_t both[4];
      load_matrices(both, A + 8 * j * Tile::pitch_A + x);
      to.b[j][0] = both[0];
      to.b[j][1] = both[1];
      to.b[j + 1][0] = both[2];
      to.b[j + 1][1] = both[3];
    }
  }

  __device__ void round(Fragments& f, int part) const {
    round_fragment<typename Tile::T>(f.a[part]);
    round_fragment<typename Tile::T>(f.b[2 * part]);
    round_fragment<typename Tile::T>(f.b[2 * part + 1]);
  }

  /// Like WarpTile::write().
  __device__ void write(float* C, int row, int col, int m, int n, bool pairs) const {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      const int y = row + row_ + i / 2 * 8 + 2 * t_ + i % 2;
      if (y >= m) continue;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int x = col + column(j);
        const FragmentC& c = this->sum_[j][i / 2];
        float* to = C + std::int64_t{y} * n + x;
        if (pairs) {
          if (x < n) *reinterpret_cast<float2*>(to) = make_float2(c[i % 2], c[2 + i % 2]);
        } else {
          if (x < n) to[0] = c[i % 2];
          if (x + 1 < n) to[1] = c[2 + i % 2];
        }
      }
    }
  }

 private:
  // The first of a lane's two columns in fragment i. Sixteen lanes are served at once, four rows of
  // g 0 to 3, or 4 to 7: those use two pieces of 16 bytes, whose numbers differ by four. Swizzled,
  // the pieces of four rows are in eight different places.
  __device__ int column(int i) const {
    const int piece = 2 * (i % 2) + g_ / 4 + g_ / 2 % 2 * 4;
    return col_ + i / 2 * 32 + 4 * piece + g_ % 2 * 2;
  }

  int row_, col_;    // of the warp's sums in the block's
  int g_, t_;        // mma.hpp
  int line_, half_;  // of load_matrices(): two times eight rows, and both halves of them
};

}  // namespace tensor
