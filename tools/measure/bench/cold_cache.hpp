/// @file
/// Seeing to what the level-2 cache holds when a kernel starts.
#pragma once

#include <cstddef>

#include "ceiling.hpp"
#include "device.hpp"
#include "timing.hpp"

namespace course::measure {

/// Fills the level-2 cache with what no kernel will ask for.
class ColdCache {
 public:
  ColdCache() : other_(2 * device().l2_bytes / sizeof(float4)), sink_(1) {}

  /// For kernels that write as much as the cache holds or more: they start with a cache of lines
  /// that must be written back, and leave such a one behind. With a clean cache to start with, some
  /// of their writing would go uncounted.
  void fill_with_writes() { flush_(); }

  /// For kernels that read: nothing remains to be written back in their time.
  void fill_with_reads() {
    flush_();
    const int grid = 16 * device().multiprocessors;
    launch_ceiling(CeilingKind::read, grid, other_, nullptr, other_.size(), sink_);
  }

 private:
  CacheFlush flush_;
  DeviceArray<float4> other_;
  DeviceArray<float> sink_;
};

}  // namespace course::measure
