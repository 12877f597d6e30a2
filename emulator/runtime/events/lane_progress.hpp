#pragma once
/// \file
/// What is followed of one running thread, if details are wanted.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/rooms.hpp"
#include "events/trace.hpp"

namespace emulator::events {

/// While a thread runs: the store, or the atomic operation, whose value is not known yet, and how
/// far it has come in the code.
///
/// *How far* is needed where threads wait for one that has ended: did it leave before the place
/// where they wait, as CUDA permits, or did it pass the place by? Code is in memory in the order
/// of the source, so a thread has passed by if it accessed memory, or came through a whole block of
/// code, at a higher address since it last went back (the next round of a loop), in the same
/// function or, for a place in a function that was called, in the caller. The block in which it
/// ended does not count: every `return` leads to the end of the function.
class alignas(64) LaneProgress {  // what a kernel that calls nothing needs is one cache line
 public:
  static constexpr unsigned levels = 10;  // of calls; deeper ones are not followed

  /// Gives the last store its value. Every access comes by here before it is recorded.
  void settle(LaneTrace& trace) {
    if (pending_bytes_ == 0) return;
    trace.set_stored(value_of(pending_, pending_bytes_));
    pending_bytes_ = 0;
  }

  void note_access(std::uint64_t depth, std::uint64_t pc, const void* address, unsigned bytes,
                   AccessKind kind) {
    if (kind == AccessKind::global_store || kind == AccessKind::shared_store ||
        kind == AccessKind::global_atomic) {
      pending_ = address;
      pending_bytes_ = bytes;
    }
    if (depth < levels) levels_[depth].furthest = std::max(levels_[depth].furthest, pc);
  }
  void note_block(std::uint64_t depth, std::uint64_t pc) {
    if (depth >= levels) return;
    Level& level = levels_[depth];
    level.furthest = pc <= level.block ? 0 : std::max(level.furthest, level.block);
    level.block = pc;
  }
  void enter(std::uint64_t depth, const void* caller) {
    if (depth >= levels) return;
    levels_[depth] = {0, 0, reinterpret_cast<std::uintptr_t>(caller)};
  }
  void leave(std::uint64_t depth) {
    if (depth >= levels || depth == 0 || levels_[depth].furthest == 0) return;
    std::uint64_t& outer = levels_[depth - 1].furthest;
    outer = std::max(outer, levels_[depth].called_from);
  }

  /// Where the thread is, or was when it ended, at each level of calls that leads to `pc`.
  std::uint64_t position(std::uint64_t level, std::uint64_t depth, std::uint64_t pc) const {
    return level == depth ? pc : levels_[level + 1].called_from;
  }
  /// Whether this thread, which has ended, passed by the place `pc` where `other` waits.
  bool passed_by(const LaneProgress& other, std::uint64_t depth, std::uint64_t pc) const {
    constexpr std::uint64_t kernel = 1;  // the level of the kernel itself
    if (depth < kernel || depth >= levels) return false;
    return levels_[kernel].furthest > other.position(kernel, depth, pc);
  }

 private:
  // The bytes themselves, or a hash of 16.
  static std::uint64_t value_of(const void* address, unsigned bytes) {
    std::array<std::uint64_t, 2> value{};
    std::memcpy(value.data(), address, std::min<std::size_t>(bytes, sizeof(value)));
    return value[0] ^ (value[1] * 0x9E3779B97F4A7C15U);
  }

  const void* pending_ = nullptr;
  unsigned pending_bytes_ = 0;
  struct Level {
    std::uint64_t furthest = 0;     // since it last went back
    std::uint64_t block = 0;        // the code block it is in
    std::uint64_t called_from = 0;  // return address
  };
  std::array<Level, levels> levels_{};
};

}  // namespace emulator::events
