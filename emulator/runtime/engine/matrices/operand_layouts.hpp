#pragma once
/// \file
/// How matrices are laid out in shared memory for wgmma: what a matrix descriptor means.

#include <cstdint>

#include "base/rooms.hpp"
#include "engine/copies/tensor_tiles.hpp"

namespace emulator::engine {

/// A descriptor taken apart: PTX ISA, "Matrix Descriptor Format".
struct MatrixDescriptor {
  std::uint32_t start = 0;    ///< the last 18 bits of an address of shared memory
  std::uint32_t leading = 0;  ///< bytes
  std::uint32_t stride = 0;   ///< bytes
  unsigned first_row = 0;     ///< of the pattern, if that does not begin where its size wants it
  unsigned swizzle = 0;       ///< as a tensor map says it

  explicit MatrixDescriptor(std::uint64_t bits) {
    constexpr std::uint64_t field = 0x3FFF;
    start = static_cast<std::uint32_t>((bits & field) << 4);
    leading = static_cast<std::uint32_t>((bits >> 16 & field) << 4);
    stride = static_cast<std::uint32_t>((bits >> 32 & field) << 4);
    first_row = bits >> 49 & 7U;
    constexpr unsigned modes[] = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                  CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_32B};
    swizzle = modes[bits >> 62];
  }
};

/// Where the elements of one operand are. Its rows (of A) or columns (of B) are `lines`, each of k
/// elements. Eight lines of 16 bytes are a core matrix, which is in one piece: of a swizzle's width
/// for each line, or of its own 16 bytes.
class OperandLayout {
 public:
  /// \param start where the descriptor's address is
  OperandLayout(const MatrixDescriptor& descriptor, std::uintptr_t start, bool lines_side_by_side,
                unsigned element_bytes)
      : descriptor_(descriptor),
        start_(start),
        is_turned_(lines_side_by_side),
        element_(element_bytes),
        bits_(swizzle_bits(descriptor.swizzle)),
        width_(bits_ == 0 ? 16 : 16 * (bits_ + 1)) {}

  /// Where element `k` of that line is.
  std::uintptr_t address(unsigned line, unsigned k) const {
    return swizzled(start_ + (is_turned_ ? turned(line, k) : plain(line, k)), bits_,
                    descriptor_.first_row);
  }

 private:
  // Elements of a line are side by side.
  std::uintptr_t plain(unsigned line, unsigned k) const {
    const std::uintptr_t group = line / 8 * std::uintptr_t{descriptor_.stride};
    const unsigned byte = k * element_;
    if (bits_ != 0) return group + line % 8 * width_ + byte;
    return group + line % 8 * 16 + byte / 16 * std::uintptr_t{descriptor_.leading} + byte % 16;
  }
  // Lines are side by side.
  std::uintptr_t turned(unsigned line, unsigned k) const {
    const unsigned per_row = width_ / element_;
    const std::uintptr_t over = line / per_row;
    const std::uintptr_t down = k / 8;
    const std::uintptr_t within = k % 8 * width_ + line % per_row * element_;
    if (bits_ != 0) return within + over * descriptor_.leading + down * descriptor_.stride;
    return within + over * descriptor_.stride + down * descriptor_.leading;
  }

  const MatrixDescriptor& descriptor_;
  std::uintptr_t start_;
  bool is_turned_;
  unsigned element_;
  unsigned bits_;
  unsigned width_;
};

}  // namespace emulator::engine
