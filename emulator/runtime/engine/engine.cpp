/// \file
/// How a host thread runs blocks: the threads it begins them with, and what it does between passes.

#include "engine/engine.hpp"

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "base/extents.hpp"
#include "base/watchdog.hpp"
#include "engine/announcements.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/launches/clusters.hpp"
#include "engine/launches/cooperative_grid.hpp"
#include "engine/launches/launch_turn.hpp"
#include "engine/time_slices.hpp"

// The built-in variables, by the names under which they may be written (builtin_variables.cpp).
extern __thread uint3 current_block __asm__("blockIdx");
extern __thread uint3 current_block_size __asm__("blockDim");
extern __thread uint3 current_grid_size __asm__("gridDim");

extern __thread unsigned char emulator_dynamic_shared_memory[];

namespace emulator::engine {

constinit thread_local Lane* current_lane = nullptr;
constinit thread_local Lane* recording_lane = nullptr;
constinit thread_local std::uintptr_t left_at = 0;

Worker& this_worker() {
  thread_local Worker worker;
  return worker;
}

void Worker::run(Grid& grid) {
  grid_ = &grid;
  const Configuration& configuration = grid.configuration;
  current_block_size = {configuration.block.x, configuration.block.y, configuration.block.z};
  current_grid_size = {configuration.grid.x, configuration.grid.y, configuration.grid.z};

  stuck_.begin_launch();
  if (grid.observer != nullptr) shared_.find_guards();
  const TimeSlices slices(grid.observer == nullptr ||
                          is_in_fast_module(reinterpret_cast<std::uintptr_t>(grid.body.call)));
  const int errors_of_the_host = errno;  // a GPU's functions have none
  // A failing thread jumps back to here from its fiber or from the signal handler.
  if (grid.turn != nullptr) grid.turn->enter();
  if (_setjmp(escape_) == 0) {
    run_blocks();
  } else if (seat_.cluster() != nullptr) {
    const std::lock_guard one_at_a_time(seat_.cluster()->ending());
    end_failed_launch();
    seat_.cluster()->fail();
    if (grid_->is_cooperative()) grid_->cooperative->fail();
  } else {
    end_failed_launch();
    if (grid.is_cooperative()) grid.cooperative->fail();
  }
  if (grid_->turn != nullptr) grid_->turn->leave();
  seat_.leave();
  grid_ = nullptr;
  errno = errors_of_the_host;
}

namespace {

bool begin_in_turn(Grid& grid, std::uint64_t block) {
  const WaitsForOthers waits(grid.turn);
  return grid.cooperative->begin(block);
}

}  // namespace

void Worker::run_blocks() {
  Grid& grid = *grid_;
  if (grid.clustered != nullptr) {
    if (!seat_.join(*grid.clustered)) return;
    while (const auto number = seat_.begin_block(grid)) {
      run_block(*number);
      seat_.end_block(grid);
    }
    return;
  }
  for (;;) {
    const std::uint64_t number = grid.next_block.fetch_add(1, std::memory_order_relaxed);
    if (number >= grid.blocks || grid.error.load(std::memory_order_relaxed) != cudaSuccess) break;
    const std::uint64_t block = grid.order[number];
    if (grid.is_cooperative() && !begin_in_turn(grid, block)) break;
    run_block(block);
    if (grid.is_cooperative()) grid.cooperative->end(block);
  }
}

// Gives all warps their turn, again and again, until none can run.
inline void Worker::run_passes() {
  for (;;) {
    bool more = false;
    for (Warp& warp : block_.warps()) more |= run_warp(warp);
    if (grid_->observer != nullptr) stuck_.end_pass(more);
    if (!more) return;
    if (grid_->turn == nullptr && stuck_.polls_forever() && seat_.cluster() == nullptr &&
        !grid_->is_cooperative() &&
        grid_->next_block.load(std::memory_order_relaxed) < grid_->blocks) {
      report_wait_for_a_later_block();
    }
    waits_.end_pass(block_, seat_);
    // A spinning thread may wait for a block that has failed.
    if (grid_->error.load(std::memory_order_relaxed) != cudaSuccess) abandon(cudaSuccess);
    watch_.tell_where_it_stands(*grid_);
    Cluster* const cluster = seat_.cluster();
    if (cluster == nullptr) {
      watch_.help_spinning_block(*grid_);
      // It may wait for a block whose host thread has no processor.
      if (grid_->observer == nullptr) std::this_thread::yield();
    } else if (cluster->let_others(seat_.rank()) == Cluster::Turn::failed) {
      abandon(cudaSuccess);
    }
    if (grid_->turn != nullptr) {
      give_way_if_it_polls();
    } else if (grid_->is_cooperative() && grid_->observer != nullptr && cluster == nullptr) {
      let_blocks_run_if_it_polls();
    }
  }
}

// It may wait at a barrier of the program's own for blocks whose turn comes after its own.
void Worker::let_blocks_run_if_it_polls() {
  CooperativeGrid& blocks = *grid_->cooperative;
  if (!stuck_.polls()) return blocks.gets_on();
  if (grid_->details != nullptr) grid_->details->sync.leaves_turn();
  switch (blocks.let_others(block_.number())) {
    case CooperativeGrid::Turn::failed:
      abandon(cudaSuccess);
    case CooperativeGrid::Turn::in_vain:
      report_wait_for_no_block();
    case CooperativeGrid::Turn::others_ran:
      break;
  }
  if (grid_->details != nullptr) announce_block(block_);
  stuck_.others_ran();
}

// It may wait for a kernel of another device.
void Worker::give_way_if_it_polls() {
  LaunchTurn& turn = *grid_->turn;
  const bool is_recorded = grid_->observer != nullptr;
  if (is_recorded && !stuck_.polls()) return turn.note_progress();
  if (turn.waits_in_vain()) report_wait_for_nobody();
  if (grid_->details != nullptr) grid_->details->sync.gives_way();
  turn.give_way();
  if (grid_->details != nullptr) grid_->details->sync.goes_on();
  stuck_.others_ran();
}

void Worker::run_block(std::uint64_t number) {
  if (grid_->turn != nullptr) grid_->turn->note_progress();
  const Configuration& configuration = grid_->configuration;
  current_block = place_in(configuration.grid, number);
  block_.begin(*this, *grid_, number, seat_.first_thread(configuration.block));
  const bool is_first = seat_.rank() == 0;  // which announces its cluster
  if (grid_->details != nullptr && is_first) announce_block(block_);
  shared_.forget_asked();
  const bool is_alone = seat_.cluster() == nullptr;
  if (is_alone && block_barriers().used) block_barriers().clear();  // a failed block's
  waits_.begin_block();
  stuck_.begin_block();
  watch_.begin_block();
  do {
    run_passes();
  } while (is_alone ? waits_.release(block_, seat_) : waits_.release_in_cluster(block_, seat_));
  waits_.end_block(block_, seat_);
}

}  // namespace emulator::engine

namespace emulator::base {

using namespace engine;

double watchdog_delay() {
  static const double seconds = [] {
    constexpr double usual = 10;
    const char* const text = std::getenv("EMULATOR_PATIENCE");
    if (text == nullptr || *text == '\0') return usual;
    return std::strtod(text, nullptr);
  }();
  return seconds;
}

}  // namespace emulator::base

void* emulator::dynamic_shared() {
  return emulator_dynamic_shared_memory;
}

bool emulator::for_device() noexcept {
  return engine::current_lane != nullptr;
}
