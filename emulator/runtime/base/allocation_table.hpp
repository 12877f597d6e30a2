#pragma once
/// \file
/// What is allocated, and what was freed not long ago, by address. Its owner locks it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <vector>

#include "base/arena.hpp"

namespace emulator::base {

/// The allocations, live and freed.
class AllocationTable {
 public:
  /// Adds a live one.
  void insert(const Allocation& allocation) {
    const std::uintptr_t end = allocation.base + allocation.size;
    // What was freed and begins or ends in here is history.
    auto old = freed_.lower_bound(allocation.base);
    if (old != freed_.begin()) {
      const auto before = std::prev(old);
      if (allocation.base - before->first < before->second.allocation.size) old = before;
    }
    while (old != freed_.end() && old->first < end) old = freed_.erase(old);
    live_.emplace(allocation.base, allocation);
  }

  /// The one that begins there is no longer live.
  void erase(std::uintptr_t base) { live_.erase(base); }

  /// Keeps a freed one, for reports; in return the oldest is forgotten.
  void remember_freed(const FreedAllocation& freed) {
    if (freed.freed_at.empty()) return;
    freed_.insert_or_assign(freed.allocation.base, freed);
    freed_order_.push_back(freed.allocation.base);
    if (freed_order_.size() <= most_freed) return;
    freed_.erase(freed_order_.front());
    freed_order_.pop_front();
  }

  void set_users(std::uintptr_t base, unsigned devices) {
    if (const auto found = live_.find(base); found != live_.end()) found->second.users = devices;
  }

  /// The live one that has this address; null if there is none.
  const Allocation* find(std::uintptr_t address) const {
    const auto after = live_.upper_bound(address);
    if (after == live_.begin()) return nullptr;
    const Allocation& candidate = std::prev(after)->second;
    return address - candidate.base < candidate.size ? &candidate : nullptr;
  }

  /// Whether any byte of that range is in a live one.
  bool touches(std::uintptr_t begin, std::size_t bytes) const {
    if (find(begin) != nullptr) return true;
    const auto next = live_.lower_bound(begin);
    return next != live_.end() && next->first - begin < bytes;
  }

  /// The one that had this address, if none has it now.
  std::optional<FreedAllocation> find_freed(std::uintptr_t address) const {
    const auto after = freed_.upper_bound(address);
    if (after == freed_.begin() || find(address) != nullptr) return std::nullopt;
    const FreedAllocation& candidate = std::prev(after)->second;
    if (address - candidate.allocation.base >= candidate.allocation.size) return std::nullopt;
    return candidate;
  }

  /// The live one that is closest to that address.
  std::optional<Allocation> nearest(std::uintptr_t address) const {
    const auto after = live_.upper_bound(address);
    const Allocation* const next = after != live_.end() ? &after->second : nullptr;
    const Allocation* const before = after != live_.begin() ? &std::prev(after)->second : nullptr;
    if (before == nullptr && next == nullptr) return std::nullopt;
    if (before == nullptr) return *next;
    if (next == nullptr || address < before->base + before->size) return *before;
    const bool is_next = next->base - address < address - (before->base + before->size);
    return is_next ? *next : *before;
  }

  std::vector<Allocation> all() const {
    std::vector<Allocation> result;
    for (const auto& [base, allocation] : live_) result.push_back(allocation);
    return result;
  }

  /// The live ones, by their first addresses.
  const std::map<std::uintptr_t, Allocation>& live() const { return live_; }

 private:
  static constexpr std::size_t most_freed = 50'000;  // remembered: half a kilobyte each

  std::map<std::uintptr_t, Allocation> live_;        // by base; no two overlap
  std::map<std::uintptr_t, FreedAllocation> freed_;  // likewise, and none overlaps a live one
  std::deque<std::uintptr_t> freed_order_;           // bases, oldest first
};

}  // namespace emulator::base
