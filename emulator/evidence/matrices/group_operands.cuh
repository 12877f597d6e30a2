#pragma once
/// \file
/// Where the operands of a warpgroup's products are: in what order in shared memory, and in which
/// registers.

#include <cstdint>

#include "numbers.cuh"

namespace matrices {

constexpr unsigned most_steps = 4;      ///< along k, one instruction each
constexpr unsigned bytes_of_step = 32;  ///< of a row of A or column of B

/// What differs from tile to tile without being another instruction.
struct GroupChoice {
  bool adds;                      ///< D = A B + D from the first step on, and not D = A B
  unsigned a_width, b_width;      ///< bytes of the swizzles; 16: none
  bool is_a_across, is_b_across;  ///< which of two orders
};

__host__ __device__ inline GroupChoice choice_of(unsigned series, unsigned tile) {
  const std::uint64_t bits = mixed(mixed(series * 16ULL + 15) ^ tile);
  GroupChoice choice{};
  choice.adds = (bits >> 2 & 3) != 0;
  choice.a_width = 16U << (bits >> 4 & 3);
  choice.b_width = 16U << (bits >> 6 & 3);
  choice.is_a_across = (bits >> 8 & 1) != 0;
  choice.is_b_across = (bits >> 9 & 1) != 0;
  return choice;
}

/// An operand in shared memory: pieces of eight rows, each as many bytes wide as the swizzle.
/// "Lines" are rows of A or columns of B. In a row a line's elements are side by side; if the
/// operand is turned, those of one k are.
struct Placement {
  unsigned width;  ///< bytes: 16, without a swizzle, 32, 64 or 128
  bool is_across;  ///< after a piece comes the one beside it, and not the one below it
  bool is_turned;
  unsigned lines;
  unsigned element;  ///< bytes

  __host__ __device__ unsigned pieces_across() const {
    return (is_turned ? lines * element : most_steps * bytes_of_step) / width;
  }
  __host__ __device__ unsigned pieces_down() const {
    return (is_turned ? most_steps * bytes_of_step / element : lines) / 8;
  }
  /// Bytes from a piece to the one beside it, and to the one below it.
  __host__ __device__ unsigned step_across() const {
    return 8 * width * (is_across ? 1 : pieces_down());
  }
  __host__ __device__ unsigned step_down() const {
    return 8 * width * (is_across ? pieces_across() : 1);
  }
  /// Where an element would be without the swizzle.
  __host__ __device__ unsigned offset(unsigned line, unsigned k) const {
    const unsigned along = (is_turned ? line : k) * element;
    const unsigned row = is_turned ? k : line;
    return along / width * step_across() + row / 8 * step_down() + row % 8 * width + along % width;
  }
  /// The swizzle exchanges chunks of 16 bytes, by the number of the 128 bytes that they are in.
  __host__ __device__ unsigned swizzled(unsigned offset) const {
    return offset ^ (offset / 128 & (width / 16 - 1)) * 16;
  }
};

/// A turned operand that is narrower than a swizzle, or no multiple of it, has none.
__host__ __device__ inline Placement placement_of(unsigned width, bool is_across, bool is_turned,
                                                  unsigned lines, unsigned element) {
  if (is_turned && lines * element % width != 0) width = 16;
  return {width, is_across, is_turned, lines, element};
}

/// What an instruction knows of the operand, from element k of the lines on.
inline __device__ std::uint64_t descriptor(const unsigned char* tile, const Placement& placement,
                                           unsigned k) {
  const auto field = [](std::uint64_t bytes) { return (bytes & 0x3FFFFU) >> 4; };
  std::uint64_t leading = placement.step_across();
  std::uint64_t stride = placement.step_down();
  if (placement.width == 16 && placement.is_turned) {
    const std::uint64_t down = stride;
    stride = leading;
    leading = down;
  } else if (placement.width != 16 && !placement.is_turned) {
    leading = 16;  // nobody looks at it: k of one instruction is within a piece
  }
  // 1 is the swizzle of 128 bytes, 2 that of 64, and 3 that of 32.
  const std::uint64_t mode =
      (placement.width < 32 ? 0 : 3) - placement.width / 64 % 2 - placement.width / 128 * 2;
  return field(__cvta_generic_to_shared(tile) + placement.offset(0, k)) | field(leading) << 16 |
         field(stride) << 32 | mode << 62;
}

/// Writes an operand's numbers to shared memory, all threads together.
template <class Format>
__device__ void fill_shared(unsigned char* to, const Placement& placement, unsigned ks, Element e,
                            Format format) {
  const bool is_a = e.matrix == Matrix::a;
  for (unsigned i = threadIdx.x; i < placement.lines * ks; i += blockDim.x) {
    const unsigned line = i / ks;
    const unsigned k = i % ks;
    e.row = is_a ? line : k;
    e.column = is_a ? k : line;
    const std::uint64_t bits = bits_of(e, format);
    unsigned char* const at = to + placement.swizzled(placement.offset(line, k));
    if (placement.element == 1) *at = static_cast<unsigned char>(bits);
    if (placement.element == 2) {
      *reinterpret_cast<std::uint16_t*>(at) = static_cast<std::uint16_t>(bits);
    }
    if (placement.element == 4) {
      *reinterpret_cast<std::uint32_t*>(at) = static_cast<std::uint32_t>(bits);
    }
  }
}

/// A thread's registers of A, for one step. They go down the rows first, as those of mma do.
template <unsigned element, class Format>
__device__ void fill_registers(std::uint32_t (&a)[4], unsigned first_k, Element e, Format format) {
  constexpr unsigned packed = 4 / element;
  const unsigned lane = threadIdx.x % 32;
  for (unsigned r = 0; r < 4; ++r) {
    a[r] = 0;
    for (unsigned i = 0; i < packed; ++i) {
      e.row = threadIdx.x / 32 * 16 + r % 2 * 8 + lane / 4;
      e.column = first_k + (r / 2 * 4 + lane % 4) * packed + i;
      a[r] |= static_cast<std::uint32_t>(bits_of(e, format)) << (8 * element * i);
    }
  }
}

/// Of D a thread has, of each eight columns, two neighbours in one row and two eight rows below.
struct GroupPlace {
  unsigned row, column;
};
inline __device__ GroupPlace place_in_d(unsigned index) {
  const unsigned lane = threadIdx.x % 32;
  return {threadIdx.x / 32 * 16 + index / 2 % 2 * 8 + lane / 4,
          index / 4 * 8 + lane % 4 * 2 + index % 2};
}

}  // namespace matrices
