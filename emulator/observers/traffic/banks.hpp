#pragma once
/// \file
/// How the 32 banks of shared memory serve one instruction of a warp. The one place that says it:
/// counters, advice and the report's example (and so the picture drawn from it) ask here.
///
/// A word is 4 bytes, and word w is in bank w modulo 32. An instruction is served in groups of
/// lanes, one after the other. Each group takes as many *wavefronts* as the bank of which it wants
/// the most distinct words; what lanes of a group want in common is delivered once. Wavefronts
/// beyond one a group are *bank conflicts*.
///
/// Up to 4 bytes per lane all 32 lanes are one group, with 8 bytes 16 lanes, with 16 bytes 8.
/// Groups of a load are twice as large if every active lane's address equals that of lane XOR 1 (or
/// that lane is inactive), or every one's equals that of lane XOR 2. Not with ldmatrix: there each
/// matrix is a group. (Measured with Nsight Compute on an H200; docs of NVIDIA's say nothing of the
/// last two.)

#include <array>
#include <cstdint>

#include "base/rooms.hpp"
#include "events/trace.hpp"

namespace emulator::traffic {

inline constexpr unsigned bank_count = 32;
inline constexpr unsigned word_bytes = 4;

/// What the lanes of a warp ask of shared memory in one instruction.
struct SharedRequest {
  std::array<std::uint64_t, warp_size> address{};  ///< the first byte that an active lane asks for
  std::uint32_t active = 0;                        ///< one bit per lane
  unsigned bytes = 4;                              ///< of each lane
  bool is_store = false;
  bool is_matrix = false;  ///< of ldmatrix
};

/// Lanes that are served together, one bit per lane: up to four groups, the rest 0.
using LaneGroups = std::array<std::uint32_t, 4>;

/// The groups in the order of their lanes; those without an active lane are left out.
LaneGroups groups_served(const SharedRequest& request);

/// How many distinct words these lanes want of each bank.
std::array<unsigned, bank_count> words_by_bank(const SharedRequest& request, std::uint32_t lanes);

/// What an instruction takes.
struct SharedCost {
  unsigned wavefronts = 0;
  unsigned groups = 0;
};
SharedCost count_wavefronts(const SharedRequest& request);

}  // namespace emulator::traffic
