/// @file
/// The splitting as a pass of its own: floats to short numbers, packed so that one tile of chapter
/// 22's has all parts of the same terms.
///
/// A tile is 64 numbers deep, 128 bytes. Of two parts it has 32 terms: 32 first parts along k, then
/// the 32 second parts of the same terms. Of three parts it has 16 terms, and the last quarter is
/// 0. So a matrix of parts is like any other, only deeper, and copies by tensor maps need not know.
#pragma once

#include "scaling.hpp"

namespace fp32 {

/// Terms of a tile whose numbers have that many parts.
template <int parts>
constexpr int terms_of_tile = parts == 1   ? 64
                              : parts == 2 ? 32
                                           : 16;

/// Along k, as packed.
template <int parts>
int packed_depth(int k) {
  return ((k - 1) / terms_of_tile<parts> + 1) * 64;
}

/// The numbers that a thread packs: neighbours in a row, 16 bytes of each part.
constexpr int at_once = 8;

/// Packs a row-major matrix. A thread takes eight neighbours of a row.
/// @tparam along_k whether rows are along k, as A's are; else columns are, as B's
/// @param rows, cols of the floats
/// @param ld of the packed matrix, a multiple of 8
template <class Number, int parts, bool along_k>
__global__ void __launch_bounds__(256)
    pack(const float* from, int rows, int cols, const std::uint32_t* largest,
         typename Number::Number* to, std::int64_t ld, bool by_fours) {
  using Short = typename Number::Number;
  constexpr int terms = terms_of_tile<parts>;
  constexpr int with_padding = 64 / terms;
  const int col = (static_cast<int>(blockIdx.x) * 256 + static_cast<int>(threadIdx.x)) * at_once;
  // Terms are whole tiles of them, other lines are whole eights.
  const int all_rows = along_k ? rows : (rows - 1) / terms * terms + terms;
  const int all_cols = along_k ? (cols - 1) / terms * terms + terms : static_cast<int>(ld);
  if (col >= all_cols) return;
  float scales[at_once];  // of columns; of a row there is one
  if constexpr (Number::scales && !along_k) {
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      scales[i] = power_of_two(exponent_to(Number::top, largest[min(col + i, cols - 1)]));
    }
  }
  for (int row = static_cast<int>(blockIdx.y); row < all_rows; row += static_cast<int>(gridDim.y)) {
    float rest[at_once] = {};
    if (row < rows) {
      const float* const line = from + static_cast<std::size_t>(row) * cols + col;
      if (by_fours && col + at_once <= cols) {
        const float4 four = reinterpret_cast<const float4*>(line)[0];
        const float4 more = reinterpret_cast<const float4*>(line)[1];
        rest[0] = four.x, rest[1] = four.y, rest[2] = four.z, rest[3] = four.w;
        rest[4] = more.x, rest[5] = more.y, rest[6] = more.z, rest[7] = more.w;
      } else {
#pragma unroll
        for (int i = 0; i < at_once; ++i) rest[i] = col + i < cols ? line[i] : 0.0F;
      }
    }
    if constexpr (Number::scales) {
      if constexpr (along_k) scales[0] = power_of_two(exponent_to(Number::top, largest[row]));
#pragma unroll
      for (int i = 0; i < at_once; ++i) rest[i] *= scales[along_k ? 0 : i];
    }
#pragma unroll
    for (int p = 0; p < with_padding; ++p) {
      struct alignas(16) {
        Short numbers[at_once];
      } part;
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        part.numbers[i] = p < parts ? Number::nearest(rest[i]) : Short(0.0F);
      }
      const int term = along_k ? col : row;
      const int place = term / terms * 64 + p * terms + term % terms;
      Short* const at = along_k ? to + row * ld + place : to + place * ld + col;
      *reinterpret_cast<decltype(part)*>(at) = part;
    }
  }
}

/// A packed matrix in memory that is kept for the next one.
template <class Number, int parts>
class Packed {
 public:
  using Short = typename Number::Number;

  /// @param along_k A's rows; else B's
  template <bool along_k>
  const Short* operator()(const float* from, int rows, int cols, const std::uint32_t* largest,
                          std::int64_t& ld) {
    const int deep = packed_depth<parts>(along_k ? cols : rows);
    ld = along_k ? deep : (cols - 1) / at_once * at_once + at_once;
    const int lines = along_k ? rows : deep;
    Short* const to = memory_.at_least(static_cast<std::size_t>(lines) * ld);
    const bool by_fours = reinterpret_cast<std::uintptr_t>(from) % 16 == 0 && cols % 4 == 0;
    const int width = along_k ? deep * terms_of_tile<parts> / 64 : static_cast<int>(ld);
    const dim3 blocks((width - 1) / (256 * at_once) + 1, std::min(rows, along_k ? 32768 : 1024));
    pack<Number, parts, along_k><<<blocks, 256>>>(from, rows, cols, largest, to, ld, by_fours);
    CUDA_CHECK_LAUNCH();
    return to;
  }

 private:
  course::Scratch<Short> memory_;
};

}  // namespace fp32
