/// \file
/// How a thread waits, for what it asks of its warp or at a barrier.

#include <bit>
#include <cstdint>

#include "engine/accesses/lanes_in_step.hpp"
#include "engine/engine.hpp"

extern __thread uint3 current_thread __asm__("threadIdx");

namespace emulator::engine {

void Worker::wait(Lane& lane, Wait what) {
  waits_.note(what);
  switch_stacks(next_after(lane, what), lane.suspended);
}

// Notes what the lane waits for, and finds where to go on: with the lane that the engine would
// resume next, if that has begun and belongs to the same warp. A barrier then takes one switch per
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

// Nothing comes after the switch, so that g++ makes a jump of it, and the thread that goes on comes
// straight back into the kernel.
inline void Worker::wait_at_barrier(Lane& lane, std::uintptr_t pc) {
  lane.barrier = BarrierKind::plain;
  lane.barrier_pc = pc;
  hand_over_stack(next_after(lane, Wait::block_barrier), lane.suspended);
}

void Worker::vote_at_barrier(Lane& lane, BarrierKind kind, int predicate, std::uintptr_t pc) {
  lane.barrier = kind;
  lane.barrier_pc = pc;
  lane.predicate = predicate;
  waits_.note_vote();
  wait(lane, Wait::block_barrier);
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
