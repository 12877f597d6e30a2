#pragma once
/// \file
/// What is known to a thread of its block's fences: up to which segment each thread's cover its own
/// work. All threads execute a fence, they meet, and then one of them raises the flag for all.
///
/// PTX ISA, "Memory Consistency Model": the fences of __threadfence() are in one order with those
/// of whoever reads the flag, and come before them, since the flag was raised after them.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::checks {

/// Threads that have met hold the same, so it is shared; copies are cheap.
class FencedWork {
 public:
  FencedWork() = default;
  /// \param segments of each thread: its fence covers those up to this
  explicit FencedWork(std::vector<std::uint32_t> segments)
      : segments_(std::make_shared<const Segments>(std::move(segments))) {}

  bool empty() const { return segments_ == nullptr; }
  bool operator==(const FencedWork&) const = default;

  /// Whether a fence covers what `thread` has done in that segment.
  bool covers(std::uint32_t thread, std::uint32_t segment) const {
    return segments_ != nullptr && segment <= (*segments_)[thread];
  }
  /// What another thread knows is known from now on.
  void add(const FencedWork& more);

 private:
  using Segments = std::vector<std::uint32_t>;  // by thread
  std::shared_ptr<const Segments> segments_;
};

}  // namespace emulator::checks
