#pragma once
/// \file
/// Which parts of a range of addresses are in use. Bookkeeping only: maps and protects nothing.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "base/rooms.hpp"

namespace emulator::base {

/// Hands out regions of a range of addresses. New regions come from its untouched end, so that what
/// was freed stays inaccessible, and a use after free is found, for as long as possible. Only when
/// the end is reached do freed regions serve again, lowest address first.
class RegionAllocator {
 public:
  RegionAllocator(std::uintptr_t begin, std::size_t size) : next_(begin), end_(begin + size) {}

  /// Start of a region of `size` bytes (not 0), or nothing if no room is left.
  std::optional<std::uintptr_t> take(std::size_t size) {
    if (size <= end_ - next_) {
      const std::uintptr_t begin = next_;
      next_ += size;
      return begin;
    }
    for (auto free = free_.begin(); free != free_.end(); ++free) {
      const auto [begin, room] = *free;
      if (room < size) continue;
      free_.erase(free);
      if (room > size) free_.emplace(begin + size, room - size);
      return begin;
    }
    return std::nullopt;
  }

  /// Takes back a region, whole, that take() gave.
  void give_back(std::uintptr_t begin, std::size_t size) {
    const auto after = free_.upper_bound(begin);
    if (after != free_.end() && begin + size == after->first) {
      size += after->second;
      free_.erase(after);
    }
    const auto behind = free_.lower_bound(begin);
    if (behind != free_.begin()) {
      const auto before = std::prev(behind);
      if (before->first + before->second == begin) {
        before->second += size;
        return;
      }
    }
    free_.emplace(begin, size);
  }

 private:
  std::uintptr_t next_;  // all from here on was never handed out
  std::uintptr_t end_;
  std::map<std::uintptr_t, std::size_t> free_;  // begin -> size; no two touch
};

}  // namespace emulator::base
