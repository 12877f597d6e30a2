#pragma once
/// \file
/// What a request asks of global memory: the sectors that its bytes lie in. The one place that says
/// how they are counted.

#include <cstddef>
#include <cstdint>

namespace emulator::detail {

inline constexpr unsigned sector_bytes = 32;

/// What one request asks of global memory.
struct GlobalCost {
  unsigned sectors;  ///< distinct 32-byte segments that its bytes lie in
  unsigned bytes;    ///< distinct bytes
};

/// \param addresses the first byte that each active lane asks for, of `bytes`
GlobalCost count_sectors(const std::uint64_t* addresses, unsigned active, unsigned bytes);

/// So many sectors would do if the distinct bytes lay side by side from a sector's start.
inline unsigned ideal_sectors(const GlobalCost& cost) {
  return (cost.bytes + sector_bytes - 1) / sector_bytes;
}

/// The sectors that a bulk copy moves between global and shared memory, either way: for each line
/// of 128 bytes in shared memory those that its bytes lie in. So a sector that two lines want is
/// moved twice: between an address that is no multiple of 32 and one that is, five are moved for
/// each four.
///
/// An H200 says so with Nsight Compute (l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld,
/// l1tex__m_l1tex2xbar_write_sectors_mem_global_op_tma_st). 4,096 bytes, with a multiple of 128 in
/// shared memory, take 128 at 0 and at 64, and 160 at 16 and at 112; 2,048 at 80 take 80; 80 bytes
/// at 48 take 3, 16 bytes at 0 or at 16 one, 64 copies of 16 bytes side by side 64; 32 copies of
/// 144 bytes at 112, one behind the other in shared memory, take 176, and 32 of 80 at 48 take 104.
/// What the L2 cache counts is the same but for a few: of requests under way it joins some. None of
/// this is seen by the counters of ordinary loads and stores.
std::uint64_t bulk_sectors(std::uint64_t global, std::uint64_t shared, std::size_t bytes);

}  // namespace emulator::detail
