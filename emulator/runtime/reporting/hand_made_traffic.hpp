#pragma once
/// \file
/// Traffic made by hand for the tests of listing and advice.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reporting/kernel_traffic.hpp"

namespace hand_made {

using emulator::InstructionKind;
using emulator::InstructionTraffic;
using emulator::LineTraffic;
using emulator::Traffic;
using emulator::detail::KernelTraffic;

constexpr std::uint32_t all_lanes = 0xFFFFFFFF;

/// `times` requests, of which each lane's first byte is `offset_of(lane)`, counted by the book.
template <class Function>
InstructionTraffic instruction(InstructionKind kind, unsigned bytes, Function offset_of,
                               std::uint32_t active = all_lanes, std::uint64_t times = 1) {
  InstructionTraffic result;
  result.kind = kind;
  result.bytes_a_lane = bytes;
  result.requests = times;
  result.example.active = active;
  const bool shared = emulator::detail::is_shared(kind);
  std::set<std::uint64_t> distinct_bytes;
  std::set<std::uint64_t> sectors;
  const unsigned served = bytes <= 4 ? 32 : 128 / bytes;  // lanes of shared memory at once
  std::uint64_t wavefronts = 0;
  unsigned groups = 0;
  for (unsigned begin = 0; begin < 32; begin += served) {
    std::set<std::uint64_t> words;
    for (unsigned lane = begin; lane < begin + served; ++lane) {
      if ((active >> lane & 1U) == 0) continue;
      const auto offset = static_cast<std::uint64_t>(offset_of(lane));
      result.example.offset[lane] = offset;
      result.active_lanes += times;
      for (std::uint64_t byte = offset; byte < offset + bytes; ++byte) {
        distinct_bytes.insert(byte);
        sectors.insert(byte / 32);
        words.insert(byte / 4);
      }
    }
    if (words.empty()) continue;
    std::array<std::uint64_t, 32> load{};
    for (const std::uint64_t word : words) ++load[word % 32];
    wavefronts += *std::max_element(load.begin(), load.end());
    ++groups;
  }
  if (shared) {
    result.wavefronts = times * wavefronts;
    result.bank_conflicts = times * (wavefronts - groups);
    result.example.sectors = static_cast<unsigned>(wavefronts);
    result.example.ideal_sectors = groups;
  } else {
    result.bytes = times * distinct_bytes.size();
    result.sectors = times * sectors.size();
    result.ideal_sectors = times * ((distinct_bytes.size() + 31) / 32);
    result.example.sectors = static_cast<unsigned>(sectors.size());
    result.example.ideal_sectors = static_cast<unsigned>((distinct_bytes.size() + 31) / 32);
  }
  return result;
}

template <class Function>
InstructionTraffic load(unsigned bytes, Function offset_of, std::uint32_t active = all_lanes,
                        std::uint64_t times = 1) {
  return instruction(InstructionKind::global_load, bytes, offset_of, active, times);
}

template <class Function>
InstructionTraffic shared_load(unsigned bytes, Function offset_of, std::uint32_t active = all_lanes,
                               std::uint64_t times = 1) {
  return instruction(InstructionKind::shared_load, bytes, offset_of, active, times);
}

inline Traffic traffic_of(const InstructionTraffic& i) {
  Traffic t;
  switch (i.kind) {
    case InstructionKind::global_load:
      t.global_load_requests = i.requests;
      t.global_load_sectors = i.sectors;
      t.global_load_ideal_sectors = i.ideal_sectors;
      t.global_load_bytes = i.bytes;
      break;
    case InstructionKind::global_store:
      t.global_store_requests = i.requests;
      t.global_store_sectors = i.sectors;
      t.global_store_ideal_sectors = i.ideal_sectors;
      t.global_store_bytes = i.bytes;
      break;
    case InstructionKind::global_atomic:
      t.global_atomic_requests = i.requests;
      t.global_atomic_sectors = i.sectors;
      break;
    case InstructionKind::shared_load:
      t.shared_load_instructions = i.requests;
      t.shared_load_wavefronts = i.wavefronts;
      t.shared_load_bank_conflicts = i.bank_conflicts;
      break;
    case InstructionKind::shared_store:
      t.shared_store_instructions = i.requests;
      t.shared_store_wavefronts = i.wavefronts;
      t.shared_store_bank_conflicts = i.bank_conflicts;
      break;
    case InstructionKind::shared_atomic:
      t.shared_atomic_instructions = i.requests;
      break;
  }
  return t;
}

/// A line with these instructions and `blocks` code blocks of `lanes` active lanes each.
inline LineTraffic line(std::string file, int number, std::vector<InstructionTraffic> instructions,
                        std::uint64_t blocks = 0, std::uint64_t lanes = 32) {
  LineTraffic result;
  result.file = std::move(file);
  result.line = number;
  for (const InstructionTraffic& i : instructions) result.traffic += traffic_of(i);
  result.traffic.code_blocks = blocks;
  result.traffic.code_block_lanes = blocks * lanes;
  result.instructions = std::move(instructions);
  return result;
}

/// A kernel of one launch, its traffic the sum over its lines.
inline KernelTraffic kernel(const std::string& name, std::vector<LineTraffic> lines,
                            dim3 block = dim3(128)) {
  KernelTraffic result;
  result.kernel = name.substr(0, name.find('<'));
  result.instance = name;
  result.block = block;
  for (const LineTraffic& line : lines) result.traffic += line.traffic;
  result.lines = std::move(lines);
  return result;
}

}  // namespace hand_made
