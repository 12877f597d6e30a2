#pragma once
/// \file
/// Bulk copies, as they are announced to a kernel's observers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/device/mbarriers.h"

namespace emulator::events {

inline constexpr unsigned sector_bytes = 32;

/// The sectors that a bulk copy moves between global and shared memory, either way: for each line
/// of 128 bytes in shared memory those that its bytes are in. So a sector that two lines want is
/// moved twice: between an address that is not a multiple of 32 and one that is, five are moved for
/// each four.
///
/// An H200 says so with Nsight Compute (l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld,
/// l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st). 4,096 bytes, with a multiple of 128 in
/// shared memory, take 128 at 0 and at 64, and 160 at 16 and at 112; 2,048 at 80 take 80; 80 bytes
/// at 48 take 3, 16 bytes at 0 or at 16 one, 64 copies of 16 bytes side by side 64; 32 copies of
/// 144 bytes at 112, contiguous in shared memory, take 176, and 32 of 80 at 48 take 104.
/// What the L2 cache counts is the same but for a few: of requests under way it joins some. None of
/// this is seen by the counters of ordinary loads and stores.
std::uint64_t bulk_sectors(std::uint64_t global, std::uint64_t shared, std::size_t bytes);

/// Bytes that are side by side in shared memory, and in the tensor.
struct TilePiece {
  std::uintptr_t shared = 0;
  std::uintptr_t global = 0;  ///< 0: outside the tensor
  std::uint32_t bytes = 0;
};

/// A box of a tensor, as it is copied.
struct TensorTile {
  std::vector<TilePiece> pieces{};
  std::size_t bytes = 0;         ///< of the whole box, as a barrier counts them
  std::size_t bytes_inside = 0;  ///< of the tensor
  std::uint64_t sectors = 0;     ///< that these take
  std::uint32_t fill = 0;        ///< four bytes of what stands for elements outside
};

// Elements of vectors that only the emulator has: the linker may choose the program's copy of the
// functions of others, which are instrumented.
struct Number {
  std::uint64_t value = 0;
};
struct CopiedByte {
  std::byte value{};
};

/// A bulk copy, from its start to the end of its block: of a piece of memory, or of a box of a
/// tensor; or a thread's asynchronous store. Or no copy, but that wgmma reads its operands, which
/// for the checks is much the same.
struct BulkCopy {
  std::uintptr_t to = 0;
  std::uintptr_t from = 0;
  std::size_t bytes = 0;
  bool is_in = true;                ///< to shared memory
  unsigned thread = 0;              ///< of the block, that started it
  std::uintptr_t site = 0;          ///< where
  std::uintptr_t barrier = 0;       ///< address; of a copy in
  unsigned barrier_number = 0;      ///< the same barrier, in the order of the initialisations
  std::vector<CopiedByte> value{};  ///< of a copy out: what it has read, once that is certain
  TensorTile tile{};                ///< of a tensor: its pieces; then `bytes` are all of the box
  unsigned swizzle = 0;             ///< of a tensor: its layout in shared memory
  bool is_repeated = false;         ///< of a multicast copy: the same for a further block
  bool is_from_shared = false;      ///< from shared memory, to that of another block
  bool is_operand = false;          ///< of wgmma: it has no global side
  bool is_store = false;            ///< of a value that a thread had, which is `stored`
  AsyncOperation operation = AsyncOperation::store;
  std::array<CopiedByte, 16> stored{};

  std::uintptr_t shared() const { return is_in ? to : from; }
  std::uintptr_t global() const { return is_in ? from : to; }

  /// Calls the function for each piece that is side by side on both sides. Of one outside the
  /// tensor the global address is 0.
  template <class Function>
  void for_each_piece(Function function) const {
    if (tile.pieces.empty() && bytes > 0) {
      function(TilePiece{shared(), global(), static_cast<std::uint32_t>(bytes)});
    }
    for (const TilePiece& piece : tile.pieces) function(piece);
  }
};

/// The bulk copy of that number in the running block, or in its cluster.
const BulkCopy& bulk_copy(std::uint64_t number);

}  // namespace emulator::events
