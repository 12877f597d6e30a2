#pragma once
/// \file
/// Traffic made by hand for the tests of listing and advice.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "observers/reports/kernel_traffic.hpp"
#include "observers/traffic/atomics.hpp"
#include "observers/traffic/banks.hpp"
#include "observers/traffic/sectors.hpp"

namespace hand_made {

using emulator::InstructionKind;
using emulator::InstructionTraffic;
using emulator::LineTraffic;
using emulator::Traffic;
using emulator::reports::AtomicForm;
using emulator::reports::KernelTraffic;

constexpr std::uint32_t all_lanes = 0xFFFFFFFF;

/// `times` requests, of which each lane's first byte is `offset_of(lane)`.
template <class Function>
InstructionTraffic instruction(InstructionKind kind, unsigned bytes, Function offset_of,
                               std::uint32_t active = all_lanes, std::uint64_t times = 1,
                               AtomicForm form = AtomicForm::one_step) {
  InstructionTraffic result;
  result.kind = kind;
  result.atomic_form = static_cast<unsigned>(form);
  result.bytes_a_lane = bytes;
  result.requests = times;
  result.example.active = active;
  std::vector<std::uint64_t> addresses;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((active >> lane & 1U) == 0) continue;
    result.example.offset[lane] = static_cast<std::uint64_t>(offset_of(lane));
    addresses.push_back(result.example.offset[lane]);
  }
  result.active_lanes = times * addresses.size();
  if (kind == InstructionKind::shared_atomic) {
    const auto cost = shared_atomic_cost(emulator::reports::request_of(result), form);
    const unsigned wavefronts = cost.wavefronts + cost.load_wavefronts;
    result.wavefronts = times * wavefronts;
    result.bank_conflicts = times * (wavefronts - cost.ideal_wavefronts);
    result.example.wavefronts = wavefronts;
    result.example.lane_groups = cost.ideal_wavefronts;
  } else if (emulator::reports::is_shared(kind)) {
    const auto cost = count_wavefronts(emulator::reports::request_of(result));
    result.wavefronts = times * cost.wavefronts;
    result.bank_conflicts = times * (cost.wavefronts - cost.groups);
    result.example.wavefronts = cost.wavefronts;
    result.example.lane_groups = cost.groups;
  } else {
    const auto active_lanes = static_cast<unsigned>(addresses.size());
    const auto cost =
        kind == InstructionKind::global_atomic
            ? emulator::reports::global_atomic_cost(addresses.data(), active_lanes, bytes, form)
            : emulator::reports::count_sectors(addresses.data(), active_lanes, bytes);
    result.bytes = times * cost.bytes;
    result.sectors = times * cost.sectors;
    result.ideal_sectors = times * ideal_sectors(cost);
    result.example.sectors = cost.sectors;
    result.example.ideal_sectors = ideal_sectors(cost);
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
      t.global_atomic_ideal_sectors = i.ideal_sectors;
      t.global_atomic_bytes = i.bytes;
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
    case InstructionKind::bulk_load:
    case InstructionKind::bulk_store:
      break;
    case InstructionKind::shared_atomic:
      t.shared_atomic_instructions = i.requests;
      t.shared_atomic_wavefronts = i.wavefronts;
      t.shared_atomic_bank_conflicts = i.bank_conflicts;
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
