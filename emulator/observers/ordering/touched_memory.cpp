#include "observers/ordering/touched_memory.hpp"

#include <algorithm>

#include "base/arena.hpp"
#include "base/device_variables.hpp"
#include "base/variables.hpp"

extern const char __start_emulator_constant[] __attribute__((weak));
extern const char __stop_emulator_constant[] __attribute__((weak));

namespace emulator::ordering {
namespace {

bool is_constant(std::uintptr_t address) {
  return address >= reinterpret_cast<std::uintptr_t>(__start_emulator_constant) &&
         address < reinterpret_cast<std::uintptr_t>(__stop_emulator_constant);
}

// By address.
const std::vector<Variable>& device_variables() {
  static const auto& known = *new std::vector<Variable>([] {
    std::vector<Variable> variables = data_variables();
    std::erase_if(variables, [](const Variable& variable) {
      return variable.bytes == 0 ||
             !(is_constant(variable.begin) || find_device_variable(variable.begin) != nullptr);
    });
    std::ranges::sort(variables, {}, &Variable::begin);
    return variables;
  }());
  return known;
}

const Variable* device_variable(std::uintptr_t address) {
  const auto& all = device_variables();
  const auto after = std::ranges::upper_bound(all, address, {}, &Variable::begin);
  if (after == all.begin()) return nullptr;
  const Variable& variable = *std::prev(after);
  return address - variable.begin < variable.bytes ? &variable : nullptr;
}

}  // namespace

bool is_in_device_variable(std::uintptr_t address) {
  return device_variable(address) != nullptr;
}

VariableRange range_of_device_variables() {
  const auto& all = device_variables();
  if (all.empty()) return {0, 0};
  return {all.front().begin, all.back().begin + all.back().bytes - all.front().begin};
}

TouchedRegion* TouchedMemory::find(std::uintptr_t address) {
  auto after = regions_.upper_bound(address);
  if (after != regions_.begin()) {
    TouchedRegion& region = std::prev(after)->second;
    if (region.contains(address, 1)) return &region;
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was noted
  if (const Allocation* const memory = find_allocation(reinterpret_cast<const void*>(address))) {
    if (memory->kind != MemoryKind::symbol) {
      // What was there before is gone, or was registered in another extent.
      const std::uintptr_t end = memory->base + memory->size;
      std::erase_if(regions_, [&](const auto& entry) {
        return entry.second.begin() < end && memory->base < entry.second.end();
      });
      const auto made = regions_.try_emplace(memory->base, memory->base, memory->size,
                                             memory->kind == MemoryKind::device);
      return &made.first->second;
    }
  }
  const Variable* const variable = device_variable(address);
  if (variable == nullptr) {
    const auto own = own_.find(address / own_bytes);
    return own == own_.end() ? nullptr : &own->second;
  }
  const auto made = regions_.try_emplace(variable->begin, variable->begin, variable->bytes, false);
  return &made.first->second;
}

void TouchedMemory::add_own(std::uintptr_t address) {
  const std::uintptr_t number = address / own_bytes;
  own_.try_emplace(number, number * own_bytes, own_bytes, false);
}

void TouchedMemory::forget() {
  own_.clear();
  parts_.clear();
  unused_parts_.clear();
  ++generation_;
}

TouchedMemory::Parts& TouchedMemory::split(Cell& cell) {
  if (is_split(cell)) return *parts_[cell.writes & ~split_bit];
  if (unused_parts_.empty()) {
    unused_parts_.push_back(static_cast<std::uint32_t>(parts_.size()));
    parts_.push_back(std::make_unique<Parts>());
  }
  const std::uint32_t number = unused_parts_.back();
  unused_parts_.pop_back();
  parts_[number]->fill(cell);
  cell = {number | split_bit, generation_};
  return *parts_[number];
}

// Once all bytes are alike again, the word says it all.
void TouchedMemory::join(Cell& cell, const Parts& parts) {
  if (!std::ranges::all_of(parts, [&](const Cell& part) { return part == parts[0]; })) return;
  unused_parts_.push_back(cell.writes & ~split_bit);
  cell = parts[0];
}

}  // namespace emulator::ordering
