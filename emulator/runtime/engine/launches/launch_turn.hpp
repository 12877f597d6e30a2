#pragma once
/// \file
/// What a launch does with its turn among those of all devices (base/devices/turn_queue.hpp): its
/// host threads have it together, and give way together.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "base/devices/device_turns.hpp"
#include "base/rooms.hpp"

namespace emulator::engine {

class LaunchTurn {
 public:
  /// \param one_runs whether of its host threads one runs at a time anyway
  LaunchTurn(KernelView& view, bool one_runs) : view_(view), one_runs_(one_runs) {}

  /// One more host thread runs blocks of the launch; while another launch has its turn, it waits.
  void enter();
  /// It does not any more, or waits for another one.
  void leave();

  /// The block of the calling host thread only polls. Once all do, others have their turns.
  void give_way();
  /// Something else than polling was done.
  void note_progress() { got_on_.store(true, std::memory_order_relaxed); }
  /// Whether whoever could do what is polled for has had time enough.
  bool waits_in_vain() const;

 private:
  void let_others();

  KernelView& view_;
  const bool one_runs_;
  std::atomic<bool> got_on_{true};
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned running_ = 0;
  unsigned polling_ = 0;
  bool is_away_ = false;
  std::uint64_t ways_ = 0;
};

/// While one lives, the host thread waits for others of its launch.
class WaitsForOthers {
 public:
  /// \param turn may be null
  explicit WaitsForOthers(LaunchTurn* turn) : turn_(turn) {
    if (turn_ != nullptr) turn_->leave();
  }
  ~WaitsForOthers() {
    if (turn_ != nullptr) turn_->enter();
  }
  WaitsForOthers(const WaitsForOthers&) = delete;
  WaitsForOthers& operator=(const WaitsForOthers&) = delete;

 private:
  LaunchTurn* turn_;
};

}  // namespace emulator::engine
