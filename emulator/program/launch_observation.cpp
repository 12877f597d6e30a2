/// \file
/// What watches a launch: its requests are counted, and, if details are wanted, checked and held
/// against what other streams and host threads do.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "base/arena.hpp"
#include "base/details.hpp"
#include "base/devices/devices.hpp"
#include "emulator/traffic.h"
#include "events/execution_order.inl"
#include "events/findings.hpp"
#include "events/launch_observer.hpp"
#include "events/merge.inl"
#include "observers/checks/checker.hpp"
#include "observers/ordering/order_checks.hpp"
#include "observers/traffic/counters.hpp"
#include "program/recorded_launches.hpp"

namespace emulator::program {
namespace {

// What checkers remember of the code outlives a launch: each host thread has one of its own.
Checker& checker_of_this_thread() {
  thread_local Checker checker;
  return checker;
}

class Observation final : public LaunchObserver {
 public:
  explicit Observation(const ObservedLaunch& launch)
      : launch_(launch), counters_(launch.device), has_peers_(device_count() > 1) {
    if (!details_wanted()) return;
    checker_ = &checker_of_this_thread();
    checker_->begin_launch(launch);
    details_.emplace(LaunchDetails{*checker_, checker_->faults()});
    piece_ = piece_of_this_thread();
  }

  const LaunchDetails* details() const override { return details_ ? &*details_ : nullptr; }

  void merge(const MergedWarp& warp) override {
    counters_.set_warp(warp.block, warp.number);
    begin_block(warp.block);
    if (warp.own_shared_bytes != 0) {
      counters_.set_own_shared(warp.own_shared, warp.own_shared_bytes);
    }
    if (checker_ == nullptr) {
      warp.trace.merge<false>(warp.running, warp.left_out,
                              [&](const Request& request) { count(request, warp); });
      return;
    }
    checker_->set_warp(warp.number_of_all);
    warp_ = {warp.block.x, warp.block.y, warp.block.z, warp.number};
    warp.trace.merge<true>(warp.running, warp.left_out, [&](const Request& request) {
      if (is_counted(Access::kind_of(request.what))) count(request, warp);
      warp.trace.order->replay(request, [&](const Request& executed) { check(executed); });
    });
  }

  void copy_runs_ahead() override { ++pace_.copies_ahead; }

  void blocks_ended() override {
    if (checker_ != nullptr) checker_->end_launch();
  }
  void launch_ended(const char* error, double milliseconds) override {
    LaunchRecord record;
    record.kernel = launch_.kernel;
    record.grid = launch_.grid;
    record.block = launch_.block;
    record.milliseconds = milliseconds;
    if (error != nullptr) record.error = error;
    add_pace(pace_);
    add_launch(std::move(record), std::move(counters_).finish());
    // Now, and not as the program ends: it may well die of what the kernel did.
    if (checker_ != nullptr) print_new_findings();
  }

 private:
  void begin_block(const dim3& block) {
    if (block.x == block_.x && block.y == block_.y && block.z == block_.z) return;
    block_ = block;
    loads_.fill(0);
  }
  void count(const Request& request, const MergedWarp& warp) {
    counters_.count(request);
    const AccessKind kind = Access::kind_of(request.what);
    if (kind != AccessKind::global_load && kind != AccessKind::global_atomic) return;
    pace_.most_loads_of_a_warp = std::max(pace_.most_loads_of_a_warp, ++loads_[warp.number]);
  }
  void check(const Request& request) {
    checker_->check(request);
    if (piece_ != nullptr) note_for_order(request);
  }

  // Of the accesses those to memory that other work may use at the same time.
  void note_for_order(const Request& request) {
    const AccessKind kind = Access::kind_of(request.what);
    // Variables are each device's own, and here they have device 0's addresses.
    if (launch_.device != 0 && request.address[0] - arena_base >= arena_size &&
        kind != AccessKind::fence) {
      return;
    }
    switch (kind) {
      case AccessKind::global_load:
      case AccessKind::global_store:
      case AccessKind::global_atomic:
      case AccessKind::constant_load:
        note_with_fences(request);
        break;
      case AccessKind::fence:
        if (Access::bytes_of(request.what) == 2) unfenced_.erase(warp_);
        break;
      case AccessKind::foreign_load:
      case AccessKind::foreign_store: {
        if (request.address[0] - arena_base >= arena_size) break;
        Request store = request;
        store.what = Access::with_kind(request.what, AccessKind::global_store);
        note_request(*piece_, store, true);
        break;
      }
      default:
        break;
    }
  }

  bool is_kept_from(std::uint64_t address) const {
    if (device_at(address) == launch_.device) return false;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was recorded
    const auto memory = lookup(reinterpret_cast<const void*>(address));
    return memory && !can_use(launch_.device, *memory);
  }

  // Whether other devices see what the warp has written before what it announces now.
  void note_with_fences(const Request& request) {
    if (!has_peers_) return note_request(*piece_, request, true);
    if (is_kept_from(request.address[0])) return;  // it fails there
    const bool is_release = (Access::flags_of(request.what) & access_flags::is_ordered) != 0;
    note_request(*piece_, request, is_release || !unfenced_.contains(warp_));
    if (Access::kind_of(request.what) == AccessKind::global_store && !is_strong(request.what)) {
      unfenced_.insert(warp_);
    }
  }

  using WarpOfGrid = std::tuple<unsigned, unsigned, unsigned, unsigned>;  // its block, its number

  ObservedLaunch launch_;
  LaunchCounters counters_;
  Checker* checker_ = nullptr;
  std::optional<LaunchDetails> details_;
  Agent* piece_ = nullptr;  // the launch, as a piece of work in its stream
  bool has_peers_;
  Pace pace_;
  dim3 block_{~0U, 0, 0};                         // whose loads these are
  std::array<std::uint64_t, warp_size> loads_{};  // requests of each warp of the block
  WarpOfGrid warp_;
  std::set<WarpOfGrid> unfenced_;  // which have written since their last fence for all devices
};

}  // namespace

}  // namespace emulator::program

namespace emulator::events {

using namespace program;

std::unique_ptr<LaunchObserver> observer_of(const ObservedLaunch& launch) {
  if (!must_record()) return nullptr;
  return std::make_unique<Observation>(launch);
}

}  // namespace emulator::events
