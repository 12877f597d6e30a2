#pragma once
/// \file
/// What each device has of the arena's addresses and of the host's memory. Its owner locks it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/devices/devices.hpp"
#include "base/region_allocator.hpp"
#include "base/rooms.hpp"

namespace emulator::base {

class DeviceShares {
 public:
  /// The device's addresses.
  RegionAllocator& addresses(int device) {
    for (int next = static_cast<int>(addresses_.size()); next < device_count(); ++next) {
      const Addresses own = addresses_of(next);
      addresses_.emplace_back(own.begin, own.bytes);
    }
    return addresses_[static_cast<std::size_t>(device)];
  }

  /// From now on a single device's are in the upper half, where those of several are anyway.
  void keep_lower_half_free() {
    if (device_count() > 1) return;
    addresses_.assign(1, {arena_base + arena_size / 2, arena_size / 2});
  }

  /// Counts bytes of mapped pages that it has from now on, or has no more.
  void take(int device, std::size_t bytes) { used_[static_cast<std::size_t>(device)] += bytes; }
  void give_back(int device, std::size_t bytes) {
    used_[static_cast<std::size_t>(device)] -= bytes;
  }

  /// Untouched pages cost nothing yet, so what the host can give now overstates what it can give to
  /// several allocations together. What it could give before the first of them is the second bound,
  /// and each device has its part of that.
  std::size_t free_bytes(int device) {
    const std::size_t now = available_host_memory();
    if (std::ranges::all_of(used_, [](std::size_t bytes) { return bytes == 0; })) budget_ = now;
    const std::size_t part = budget_ / static_cast<std::size_t>(device_count());
    const std::size_t used = used_[static_cast<std::size_t>(device)];
    return std::min(now, part > used ? part - used : 0);
  }

 private:
  std::vector<RegionAllocator> addresses_;
  std::array<std::size_t, most_devices> used_{};
  std::size_t budget_ = 0;
};

}  // namespace emulator::base
