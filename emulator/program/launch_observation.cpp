/// \file
/// Who watches a launch: its requests are counted, and, if details are wanted, checked and held
/// against what other streams and host threads do.

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/details.hpp"
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
  explicit Observation(const ObservedLaunch& launch) : launch_(launch) {
    if (!details_wanted()) return;
    checker_ = &checker_of_this_thread();
    checker_->begin_launch(launch);
    details_.emplace(LaunchDetails{*checker_, checker_->faults()});
    piece_ = piece_of_this_thread();
  }

  const LaunchDetails* details() const override { return details_ ? &*details_ : nullptr; }

  void merge(const MergedWarp& warp) override {
    counters_.set_warp(warp.block, warp.number);
    if (warp.own_shared_bytes != 0) {
      counters_.set_own_shared(warp.own_shared, warp.own_shared_bytes);
    }
    if (checker_ == nullptr) {
      warp.trace.merge<false>(warp.running, warp.left_out,
                              [&](const Request& request) { counters_.count(request); });
      return;
    }
    checker_->set_warp(warp.number_of_all);
    warp.trace.merge<true>(warp.running, warp.left_out, [&](const Request& request) {
      if (Access::kind_of(request.what) <= AccessKind::bulk_copy) counters_.count(request);
      warp.trace.order->replay(request, [&](const Request& executed) { check(executed); });
    });
  }

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
    add_launch(std::move(record), std::move(counters_).finish());
    // Now, and not as the program ends: it may well die of what the kernel did.
    if (checker_ != nullptr) print_new_findings();
  }

 private:
  void check(const Request& request) {
    checker_->check(request);
    if (piece_ != nullptr) note_for_order(request);
  }

  // Of the accesses those to memory that other work may use at the same time.
  void note_for_order(const Request& request) {
    switch (Access::kind_of(request.what)) {
      case AccessKind::global_load:
      case AccessKind::global_store:
      case AccessKind::global_atomic:
      case AccessKind::constant_load:
        note_request(*piece_, request);
        break;
      case AccessKind::foreign_load:
      case AccessKind::foreign_store: {
        if (request.address[0] - arena_base >= arena_size) break;
        Request store = request;
        store.what = Access::with_kind(request.what, AccessKind::global_store);
        note_request(*piece_, store);
        break;
      }
      default:
        break;
    }
  }

  ObservedLaunch launch_;
  LaunchCounters counters_;
  Checker* checker_ = nullptr;
  std::optional<LaunchDetails> details_;
  Agent* piece_ = nullptr;  // the launch, as a piece of work in its stream
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
