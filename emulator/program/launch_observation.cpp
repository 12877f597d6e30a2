/// \file
/// Who watches a launch: its requests are counted, and, if details are wanted, checked and held
/// against what other streams and host threads do.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
    wants_details_ = details_wanted();
    if (!wants_details_) return;
    checker_ = &checker_of_this_thread();
    checker_->begin_launch(launch);
    piece_ = piece_of_this_thread();
  }

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

  void begin_block(const dim3& block) override { checker_->begin_block(block); }
  void begin_turn(const dim3& block, std::uint64_t number, std::uintptr_t shared,
                  std::uintptr_t dynamic) override {
    checker_->begin_turn(block, number, shared, dynamic);
  }
  void begin_cluster(const dim3& first_block, const dim3& shape,
                     const std::vector<std::uintptr_t>& memories,
                     std::optional<std::uint64_t> turn) override {
    checker_->begin_cluster(first_block, shape, memories, turn);
  }
  void cluster_arrived(bool all_wait) override { checker_->cluster_arrived(all_wait); }
  void end_block_of_cluster(unsigned rank) override { checker_->end_block_of_cluster(rank); }
  void grid_synchronised() override { checker_->grid_synchronised(); }
  void block_synchronised(unsigned first_thread) override {
    checker_->block_synchronised(first_thread);
  }
  void warp_synchronised(unsigned warp, std::uint32_t lanes, bool all) override {
    checker_->warp_synchronised(warp, lanes, all);
  }
  void phase_seen(unsigned thread, std::uint64_t place, std::uint64_t phase,
                  std::uint64_t pc) override {
    checker_->phase_seen(thread, place, phase, pc);
  }
  void copy_arrived(std::uint64_t shared, std::size_t bytes, unsigned barrier_number,
                    std::uint64_t place, std::uint64_t phase) override {
    checker_->copy_arrived(shared, bytes, barrier_number, place, phase);
  }

  void unawaited_copy(std::uint64_t pc, unsigned thread, bool is_store) override {
    checker_->report_unawaited(pc, thread, is_store);
  }
  void products_left(const GroupProblem& problem) override { checker_->report_products(problem); }
  void two_barriers(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                    unsigned other) override {
    checker_->report_two_barriers(pc, thread, other_pc, other);
  }
  void passed_barrier(std::uint64_t pc, unsigned thread, unsigned passed) override {
    checker_->report_passed_barrier(pc, thread, passed);
  }
  void misaligned_pointer(std::uint64_t address, unsigned alignment, std::string type,
                          std::uint64_t pc, bool is_shared, unsigned thread) override {
    checker_->report_alignment(address, alignment, std::move(type), pc, is_shared, thread);
  }
  void wide_shift(const std::string& amount, unsigned bits, std::uint64_t pc,
                  unsigned thread) override {
    checker_->report_shift(amount, bits, pc, thread);
  }
  void wrong_mask(std::string what, std::uint64_t pc, unsigned thread,
                  std::string remedy) override {
    checker_->report_mask(std::move(what), pc, thread, std::move(remedy));
  }
  void found(Finding finding, std::uint64_t pc, unsigned thread) override {
    checker_->report(std::move(finding), pc, thread);
  }
  void barrier_failed() override { checker_->tell_unwritten(); }
  std::uint64_t findings() const override { return checker_->found(); }

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
