/// \file
/// How a thread waits, and the barriers of the block.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/accesses/lanes_in_step.hpp"
#include "engine/engine.hpp"

extern __thread uint3 current_thread __asm__("threadIdx");

namespace emulator::engine {

void Worker::wait(Lane& lane, Wait what) {
  if (what == Wait::tile_exchange) tiles_wait_ = true;
  switch_stacks(next_after(lane, what), lane.suspended);
}

// Notes what the lane waits for, and finds where to go on: with the lane that the engine would
// resume next, if that has begun and belongs to the same warp. A barrier then takes one switch a
// thread instead of two.
inline Suspended Worker::next_after(const Lane& lane, Wait what) {
  begin_switch();
  Warp& warp = *lane.warp;
  const unsigned number = warp.number_of(lane);
  warp.move(1U << number, Wait::nothing, what);
  const std::uint32_t later = warp.at(Wait::nothing) & (~1U << number);
  if (grid_->observer || lanes_in_step || later == 0) return suspended_;
  Lane& next = warp.lanes[std::countr_zero(later)];
  if (next.suspended == nullptr) return suspended_;
  current_thread = next.index;
  current_lane = &next;
  end_switch();
  return next.suspended;
}

// Nothing comes behind the switch, so that g++ makes a jump of it, and who goes on comes straight
// back into the kernel.
inline void Worker::wait_at_barrier(Lane& lane, std::uintptr_t pc) {
  lane.barrier = BarrierKind::plain;
  lane.barrier_pc = pc;
  hand_over_stack(next_after(lane, Wait::block_barrier), lane.suspended);
}

void Worker::vote_at_barrier(Lane& lane, BarrierKind kind, int predicate, std::uintptr_t pc) {
  lane.barrier = kind;
  lane.barrier_pc = pc;
  lane.predicate = predicate;
  barriers_vote_ = true;
  wait(lane, Wait::block_barrier);
}

// When no warp can go on, every live thread waits at a barrier, or something is wrong.
bool Worker::release_barrier() {
  std::uint32_t come = 0;
  for (const Warp& warp : warps_) {
    come |= warp.at(Wait::block_barrier);
    if ((warp.at(Wait::block_barrier) | warp.at(Wait::ended)) != warp.all()) report_deadlock();
  }
  if (come == 0) return false;
  if (barriers_vote_) count_votes();
  if (details_ != nullptr) check_barrier();
  for (Warp& warp : warps_) {
    warp.move(warp.at(Wait::block_barrier), Wait::block_barrier, Wait::nothing);
  }
  return true;
}

// All live threads wait at barriers of the block, some of which are not the plain one.
void Worker::count_votes() {
  int count = 0;
  bool all = true;
  const Lane* first = nullptr;
  for (Lane& lane : lanes_) {
    if (waits_for(lane, Wait::ended)) continue;
    if (first == nullptr) first = &lane;
    if (lane.barrier != first->barrier) {
      fail_for(&lane, cudaErrorLaunchFailure,
               "threads of one block wait at different kinds of __syncthreads", "divergent-barrier",
               lane.barrier_pc);
    }
    count += lane.predicate != 0 ? 1 : 0;
    all = all && lane.predicate != 0;
  }
  const int result = first->barrier == BarrierKind::count ? count
                     : first->barrier == BarrierKind::all ? int{all}
                                                          : int{count > 0};
  for (Lane& lane : lanes_) lane.predicate = result;
  barriers_vote_ = false;
}

// All live threads wait. They should wait at one and the same barrier, and those that have ended
// should have left before it.
void Worker::check_barrier() {
  const auto first = std::find_if(lanes_.begin(), lanes_.end(),
                                  [](const Lane& lane) { return !waits_for(lane, Wait::ended); });
  for (const Lane& lane : lanes_) {
    const unsigned thread = number_of(lane);
    const unsigned first_thread = number_of(*first);
    if (!waits_for(lane, Wait::ended)) {
      if (lane.barrier_pc != first->barrier_pc) {
        details_->faults.two_barriers(first->barrier_pc, first_thread, lane.barrier_pc, thread);
      }
    } else if (lane.progress->passed_by(*first->progress, first->depth, first->barrier_pc)) {
      details_->faults.passed_barrier(first->barrier_pc, first_thread, thread);
    }
  }
  details_->sync.block_synchronised(first_thread_);
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void block_barrier() {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;  // host code: a block of one
  if (recording_lane != nullptr) record_barrier(__builtin_return_address(0));
  lane->worker->wait_at_barrier(*lane,
                                reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

int block_vote(BarrierKind kind, int predicate) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return predicate;
  if (recording_lane != nullptr) record_barrier(__builtin_return_address(0));
  lane->worker->vote_at_barrier(*lane, kind, predicate,
                                reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  return lane->predicate;
}

}  // namespace emulator::detail
