#include "observers/traffic/atomics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace emulator::traffic {
namespace {

unsigned bank_of(const SharedRequest& request, unsigned lane) {
  return static_cast<unsigned>(request.address[lane] / word_bytes % bank_count);
}

template <class Visit>
void for_each_group(const SharedRequest& request, Visit visit) {
  for (const std::uint32_t group : atomic_groups(request)) {
    if (group != 0) visit(group);
  }
}

template <class Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(std::countr_zero(lanes)));
}

// The lanes that get through in one round of a loop: of each group the lowest that wants a bank
// tries, and it fails if another group has changed its element in this round.
std::uint32_t through_in_a_round(const SharedRequest& request) {
  std::uint32_t through = 0;
  for_each_group(request, [&](std::uint32_t group) {
    std::uint32_t taken = 0;  // a bit a bank
    std::uint32_t winners = 0;
    for_each_lane(group, [&](unsigned lane) {
      const std::uint32_t bank = 1U << bank_of(request, lane);
      if ((taken & bank) != 0) return;
      taken |= bank;
      bool changed = false;
      for_each_lane(through, [&](unsigned other) {
        changed = changed || request.address[other] == request.address[lane];
      });
      if (!changed) winners |= 1U << lane;
    });
    through |= winners;
  });
  return through;
}

// Whether it is true what was said of the lanes.
bool mean_one_address(const SharedRequest& request) {
  bool is_one = true;
  const auto first = static_cast<unsigned>(std::countr_zero(request.active));
  for_each_lane(request.active, [&](unsigned lane) {
    is_one = is_one && request.address[lane] == request.address[first];
  });
  return is_one;
}

SharedAtomicCost count_loop(SharedRequest request) {
  SharedAtomicCost cost;
  while (request.active != 0) {
    const SharedCost load = count_wavefronts(request);
    ++cost.load_instructions;
    cost.load_wavefronts += load.wavefronts;
    cost.load_bank_conflicts += load.wavefronts - load.groups;
    for_each_group(request, [&](std::uint32_t) { cost.wavefronts += 2; });
    if (cost.instructions++ == 0) cost.ideal_wavefronts = load.groups + cost.wavefronts;
    request.active &= ~through_in_a_round(request);
  }
  return cost;
}

}  // namespace

LaneGroups atomic_groups(const SharedRequest& request) {
  // Unlike loads, atomics do not profit from lanes that agree.
  if (request.bytes <= word_bytes) return {request.active};
  LaneGroups groups{};
  std::size_t count = 0;
  for (const std::uint32_t half : {0xFFFFU, 0xFFFF0000U}) {
    if ((request.active & half) != 0) groups[count++] = request.active & half;
  }
  return groups;
}

const char* name_of(AtomicForm form) {
  switch (form) {
    case AtomicForm::one_step:
      return "one step";
    case AtomicForm::compare:
      return "compare and swap";
    case AtomicForm::loop:
      return "loop";
    case AtomicForm::count_lanes:
      return "counting lanes";
    case AtomicForm::one_lane:
      return "one lane";
  }
  return "?";
}

std::array<unsigned, bank_count> lanes_by_bank(const SharedRequest& request, std::uint32_t lanes) {
  std::array<unsigned, bank_count> load{};
  for_each_lane(lanes, [&](unsigned lane) { ++load[bank_of(request, lane)]; });
  return load;
}

SharedAtomicCost shared_atomic_cost(SharedRequest request, AtomicForm form) {
  request.is_store = false;
  if (form == AtomicForm::one_lane && !mean_one_address(request)) {
    form = request.bytes > word_bytes ? AtomicForm::loop : AtomicForm::one_step;
  }
  if (form == AtomicForm::one_lane) {
    request.active &= ~request.active + 1;  // the lowest
    form = request.bytes > word_bytes ? AtomicForm::loop : AtomicForm::one_step;
  }
  if (form == AtomicForm::loop) return count_loop(request);
  SharedAtomicCost cost;
  cost.instructions = 1;
  for_each_group(request, [&](std::uint32_t group) {
    const std::array<unsigned, bank_count> load = form == AtomicForm::count_lanes
                                                      ? words_by_bank(request, group)
                                                      : lanes_by_bank(request, group);
    const unsigned most = *std::max_element(load.begin(), load.end());
    const unsigned each = form == AtomicForm::compare ? 2 : 1;
    cost.wavefronts += each * most;
    cost.ideal_wavefronts += each;
    cost.bank_conflicts += most - 1;
  });
  return cost;
}

GlobalCost global_atomic_cost(const std::uint64_t* addresses, unsigned active, unsigned bytes,
                              AtomicForm form) {
  const bool is_one = std::all_of(addresses, addresses + active,
                                  [&](std::uint64_t address) { return address == *addresses; });
  if (form == AtomicForm::one_lane && is_one) active = std::min(active, 1U);
  GlobalCost cost = count_sectors(addresses, active, bytes);
  std::array<std::uint64_t, warp_size> sorted;
  std::copy(addresses, addresses + active, sorted.begin());
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(active);
  if (std::adjacent_find(sorted.begin(), end, [](auto a, auto b) { return b <= a; }) == end) {
    return cost;  // ascending: every lane has an element of its own
  }
  std::sort(sorted.begin(), end);
  cost.sectors = 0;
  for (auto at = sorted.begin(); at != end;) {
    const std::uint64_t sector = *at / sector_bytes;
    unsigned most = 0;
    while (at != end && *at / sector_bytes == sector) {
      const auto next = std::upper_bound(at, end, *at);
      most = std::max(most, static_cast<unsigned>(next - at));
      at = next;
    }
    cost.sectors += most;
  }
  return cost;
}

}  // namespace emulator::traffic
