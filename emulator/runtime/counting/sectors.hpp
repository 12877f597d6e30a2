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

/// The sectors that a bulk copy moves between global memory and its own side: a line of 128 bytes
/// in shared memory at a time, for which it asks for the sectors that its bytes lie in. So a sector
/// that two lines want is moved twice: a copy from an address that is no multiple of 32 to one that
/// is moves five sectors for each four. (An H200 with Nsight Compute 2025.3,
/// l1tex__m_xbar2l1tex_read_sectors_mem_global_op_tma_ld: 4,096 bytes, the target at a multiple of
/// 128, take 128 from a multiple of 128 or 64, and 160 from 16 beyond; 80 bytes from 48 take 3, 16
/// bytes from 0 or from 16 take 1, 64 copies of 16 bytes side by side 64; 144 bytes from 112 to
/// multiples of 144 take 5.5 on average.)
/// \param is_in whether the copy goes to shared memory
std::uint64_t bulk_sectors(std::uint64_t global, std::uint64_t shared, std::size_t bytes,
                           bool is_in);

}  // namespace emulator::detail
