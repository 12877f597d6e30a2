/// \file
/// How a block's warps run: whose turn it is, and the merge of what their lanes have recorded.

#include <bit>
#include <cstdint>
#include <utility>

#include "engine/accesses/lanes_in_step.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/warp_operations.hpp"
#include "engine/copies/async_copies.hpp"
#include "engine/engine.hpp"
#include "engine/launches/cooperative_grid.hpp"
#include "engine/time_slices.hpp"

// The built-in variables, by the names under which they may be written (builtin_variables.cpp).
extern __thread uint3 current_thread __asm__("threadIdx");
extern __thread uint3 current_block __asm__("blockIdx");

namespace emulator::engine {

void fiber_main() {
  Worker::thread_main();
}

// By this function's name time_slices.cpp knows where a kernel's frames end.
[[gnu::noinline]] void Worker::thread_main() {
  for (;;) {
    Lane& lane = *current_lane;
    const ThreadBody body = lane.worker->grid_->body;
    body.call(body.object);
    if (lane.copies != nullptr && !arrives_later(lane)) end_copies(lane);
    begin_switch();
    lane.warp->move(1U << lane.warp->number_of(lane), Wait::nothing, Wait::ended);
    if (!lane.worker->begin_next(lane)) switch_stacks(lane.worker->suspended_, lane.suspended);
  }
}

// The fiber of a lane that has ended takes the lane that the engine would resume next, if that
// belongs to the same warp and has not begun. Threads that wait for nobody then run as in a loop,
// where two switches per thread would cost more than most of them do.
inline bool Worker::begin_next(Lane& lane) {
  Warp& warp = *lane.warp;
  const std::uint32_t later = warp.at(Wait::nothing) & (~1U << warp.number_of(lane));
  if (grid_->observer != nullptr || lanes_in_step || later == 0) return false;
  Lane& next = warp.lanes[std::countr_zero(later)];
  if (next.suspended != nullptr) return false;
  next.fiber = std::exchange(lane.fiber, nullptr);
  next.suspended = std::exchange(lane.suspended, nullptr);
  current_thread = next.index;
  current_lane = &next;
  end_switch();
  return true;
}

// Returns the lane that came back: another one if the turn was handed over.
Lane& Worker::resume(Lane& lane) {
  if (lane.suspended == nullptr) fibers_.lend(lane);
  current_thread = lane.index;
  current_lane = &lane;
  if (grid_->observer != nullptr) recording_lane = &lane;
  end_switch();
  switch_stacks(lane.suspended, suspended_);
  Lane& last = *std::exchange(current_lane, nullptr);
  if (block_.details() != nullptr) last.progress->settle(*last.trace);
  recording_lane = nullptr;
  watch_.note_turn(last);
  if (waits_for(last, Wait::ended)) fibers_.take_back(last);
  return last;
}

void Worker::merge(Warp& warp, std::uint32_t running, std::uint32_t left_out) {
  MergedWarp merged{*warp.trace,
                    {current_block.x, current_block.y, current_block.z},
                    block_.number_of(warp),
                    block_.number_in_cluster(warp),
                    running,
                    left_out};
  if (seat_.cluster() != nullptr) {
    merged.own_shared = shared_.begin();
    merged.own_shared_bytes = shared_.bytes();
  }
  grid_->observer->merge(merged);
}

namespace {

// Then other warps have their turn; and fewer where other devices wait for theirs, or other blocks.
unsigned most_rounds_of(const Grid& grid) {
  const bool others_wait =
      grid.turn != nullptr || (grid.is_cooperative() && grid.cooperative->has_polled());
  return others_wait ? 20 : 1000;
}

std::uint32_t lanes_that_poll(const Warp& warp, std::uint32_t running) {
  std::uint32_t polling = 0;
  for (std::uint32_t rest = running; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<unsigned>(std::countr_zero(rest));
    if (warp.lanes[i].trace->polls()) polling |= 1U << i;
  }
  return polling;
}

}  // namespace

// Runs the warp until all its lanes have ended or wait at a block barrier (false), or until it
// only spins and other warps should have their turn (true).
bool Worker::run_warp(Warp& warp) {
  const bool record = grid_->observer != nullptr;
  const unsigned most_rounds = most_rounds_of(*grid_);
  unsigned rounds = 0;
  for (;;) {
    std::uint32_t running = warp.at(Wait::nothing);
    if (running == 0) {
      if (warp.at(Wait::warp_operation) != 0 && resolve_warp_operations(block_, warp)) continue;
      break;
    }
    if (++rounds > most_rounds) return true;

    if (record && warp.trace == nullptr) traces_.lend(warp, block_.details() != nullptr);
    std::uint32_t waiting = 0;
    // Where accesses are recorded, the merge keeps the lanes in step. A polling lane must not keep
    // the turn.
    const bool by_steps = lanes_in_step && !record && rounds % 64 != 0;
    for (std::uint32_t rest = by_steps ? lanes_of_next_step(warp, running) : running; rest != 0;
         rest &= rest - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(rest));
      Lane& lane = warp.lanes[i];
      if (record && !lane.trace->empty()) {  // the merge has to catch up first
        waiting |= 1U << i;
        continue;
      }
      const Lane& last = resume(lane);
      if (&last != &lane) rest &= ~0U << warp.number_of(last);  // those before it had their turn
    }
    running &= warp.at(Wait::nothing);
    if (record && (stuck_.lanes_pass() ? rounds % 8 == 0 : rounds == most_rounds)) {
      const std::uint32_t polling = lanes_that_poll(warp, running);
      const bool gets_on = (running & ~waiting & ~polling) != 0;
      stuck_.note_turn((waiting & ~polling) != 0, gets_on);
      if (stuck_.lanes_pass() && !gets_on) merge(warp, running & ~polling, polling);
    }
    if (record) merge(warp, running);
    if (slice_has_ended()) return true;
  }
  if (warp.trace != nullptr) traces_.take_back(warp);
  return false;
}

}  // namespace emulator::engine
