/// \file
/// How a host thread runs blocks: the threads it begins them with, and what it does between passes.

#include "engine/engine.hpp"

#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/extents.hpp"
#include "base/host_state.hpp"
#include "base/source_places.hpp"
#include "base/variables.hpp"
#include "base/watchdog.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/host_threads.hpp"
#include "engine/launches/clusters.hpp"
#include "engine/launches/cooperative_grid.hpp"
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

namespace {

// The calling thread's copy of the program's thread-local storage.
struct Range {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};

Range thread_local_storage() {
  Range range;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
          *static_cast<Range*>(result) = {reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data),
                                          info->dlpi_phdr[i].p_memsz};
        }
        return 1;  // the first object is the program itself
      },
      &range);
  return range;
}

}  // namespace

Worker& this_worker() {
  thread_local Worker worker;
  return worker;
}

void Worker::run(Grid& grid) {
  grid_ = &grid;
  const Configuration& configuration = grid.configuration;
  current_block_size = {configuration.block.x, configuration.block.y, configuration.block.z};
  current_grid_size = {configuration.grid.x, configuration.grid.y, configuration.grid.z};

  details_ = grid.details;

  lanes_pass_ = false;
  const TimeSlices slices(grid.observer == nullptr ||
                          is_in_fast_module(reinterpret_cast<std::uintptr_t>(grid.body.call)));
  // A failing thread jumps back to here from its fiber or from the signal handler.
  if (_setjmp(escape_) == 0) {
    if (grid.clustered != nullptr) run_clusters();
    while (grid.clustered == nullptr) {
      block_ = grid.next_block.fetch_add(1, std::memory_order_relaxed);
      if (block_ >= grid.blocks || grid.error.load(std::memory_order_relaxed) != cudaSuccess) break;
      if (is_cooperative() && !grid.cooperative->begin(block_)) break;
      run_block(block_);
      if (is_cooperative()) grid.cooperative->end(block_);
    }
  } else if (cluster_ != nullptr) {
    const std::lock_guard one_at_a_time(cluster_->ending());
    end_failed_launch();
    cluster_->fail();
    if (is_cooperative()) grid_->cooperative->fail();
  } else {
    end_failed_launch();
    if (is_cooperative()) grid.cooperative->fail();
  }
  cluster_ = nullptr;
  cluster_rank_ = first_thread_ = 0;
  share_barriers(nullptr);
  grid_ = nullptr;
}

void Worker::run_block(std::uint64_t block) {
  const dim3 size = grid_->configuration.block;
  current_block = place_in(grid_->configuration.grid, block);

  // Threads are numbered x fastest, then y, then z, and cut into warps of 32 in that order.
  const unsigned threads = volume(size);
  lanes_.assign(threads, Lane{});
  last_lane_ = nullptr;
  if (details_ != nullptr) {
    if (cluster_rank_ == 0) announce_block();  // of a cluster the first one does
    progress_.assign(threads, LaneProgress{});
  }
  warps_.resize((threads + warp_size - 1) / warp_size);
  uint3 index{0, 0, 0};
  for (unsigned thread = 0; thread < threads; ++thread) {
    lanes_[thread].worker = this;
    lanes_[thread].warp = &warps_[thread / warp_size];
    lanes_[thread].index = index;
    if (++index.x == size.x) {
      index.x = 0;
      if (++index.y == size.y) index = {0, 0, index.z + 1};
    }
    if (details_ != nullptr) lanes_[thread].progress = &progress_[thread];
  }
  for (unsigned warp = 0; warp < warps_.size(); ++warp) {
    warps_[warp].lanes = &lanes_[warp * warp_size];
    warps_[warp].size = std::min(warp_size, threads - warp * warp_size);
    warps_[warp].waiting = {warps_[warp].all()};  // for nothing
  }

  tiles_wait_ = barriers_vote_ = phases_wait_ = false;
  if (std::exchange(has_asked_, false)) std::fill(asked_for_.begin(), asked_for_.end(), 0);
  if (cluster_ == nullptr && block_barriers().used) block_barriers().clear();  // a failed block's
  unsigned passes_with_waiters = 0;
  some_wait_ = some_get_on_ = false;
  passes_stuck_ = 0;
  block_began_ = help_asked_ = std::chrono::steady_clock::now();
  do {
    bool more = true;
    while (more) {
      more = false;
      for (Warp& warp : warps_) more |= run_warp(warp);
      note_whether_stuck(more);
      // Who spins may wait for a thread whose phase is complete. All the same what warps have done
      // should be merged before others see it, so that they have their time.
      constexpr unsigned enough = 20;
      if (more && phases_wait_ && ++passes_with_waiters % enough == 0) release_complete_phases();
      // Whoever spins may wait for a block that has failed.
      if (more && grid_->error.load(std::memory_order_relaxed) != cudaSuccess) abandon(cudaSuccess);
      if (more) {
        tell_where_it_stands();
        cluster_ != nullptr ? spin_in_cluster() : help_spinning_block();
      }
    }
  } while (cluster_ != nullptr ? go_on_in_cluster()
                               : (tiles_wait_ && release_tiles()) || release_phases() ||
                                     release_grid_barrier() || release_barrier());
  end_barriers();
}

// A launch that takes long may be large, or wait for what never comes. Who watches is told once
// where it is; what is true of both is said.
void Worker::tell_where_it_stands() {
  const double long_time = watchdog_delay();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - grid_->began;
  if (long_time <= 0 || time.count() < long_time) return;
  if (grid_->told_of_running.load(std::memory_order_relaxed)) return;
  std::string where;
  if (last_lane_ != nullptr) {
    const uint3 t = last_lane_->index;
    char text[128];
    std::snprintf(text, sizeof(text), "; thread (%u,%u,%u) of block (%u,%u,%u) is", t.x, t.y, t.z,
                  current_block.x, current_block.y, current_block.z);
    const SourcePlace* const place = left_at == 0 ? nullptr : &place_of(left_at);
    if (place != nullptr && place->line != 0) {
      where = text + (" in " + place->file + ":" + std::to_string(place->line));
    } else if (time.count() < 1.5 * long_time) {
      return;  // perhaps it was interrupted in a function of ours, and will not be the next time
    } else {
      where =
          std::string(text) + " somewhere in it (compiled with --look or -g, it would say where)";
    }
  }
  if (grid_->told_of_running.exchange(true)) return;
  std::fflush(stdout);
  std::fprintf(stderr,
               "emulator: note: %s has been running for %.3g s%s. If it waits for what the host "
               "does later, it waits for ever: here a launch returns when its kernel has ended\n",
               grid_->kernel, time.count(), where.c_str());
}

// A block that only spins may wait for one that has not begun. It keeps its host thread, and
// another one begins with the next blocks.
void Worker::help_spinning_block() {
  constexpr auto patience = std::chrono::milliseconds(5);
  constexpr auto long_time = std::chrono::seconds(20);
  const auto now = std::chrono::steady_clock::now();
  if (grid_->next_block.load(std::memory_order_relaxed) >= grid_->blocks || is_cooperative())
    return;
  if (now - help_asked_ < patience) return;
  help_asked_ = now;
  if (grid_->pool != nullptr && grid_->pool->add_one(*grid_)) return;
  if (now - block_began_ < long_time || grid_->told_of_waiting.exchange(true)) return;
  std::fflush(stdout);
  std::fprintf(stderr,
               "emulator: note: %s: block (%u,%u,%u) has been running for 20 s. If it waits for a "
               "block that has not begun, it waits for ever: %s\n",
               grid_->kernel, current_block.x, current_block.y, current_block.z,
               grid_->observer != nullptr
                   ? "while accesses are recorded, blocks run one after the other"
                   : "no more blocks fit beside each other");
}

Worker::Worker() {
  const Range range = thread_local_storage();
  thread_storage_ = range.begin;
  thread_storage_bytes_ = range.bytes;
  constexpr std::size_t told_apart = std::size_t{1} << 18;  // by a descriptor of wgmma's
  if (thread_storage_bytes_ > told_apart) asked_for_.resize(range.bytes / bytes_of_note + 1);
}

bool Worker::has_asked_for_array_at(std::uintptr_t address) const {
  const auto dynamic = reinterpret_cast<std::uintptr_t>(emulator_dynamic_shared_memory);
  std::uintptr_t begin = dynamic - thread_storage_;
  std::size_t bytes = grid_->configuration.shared_bytes;
  if (address - dynamic >= shared_bytes_per_block_optin) {
    const auto array = find_shared_variable(address - thread_storage_);
    if (!array) return false;
    begin = array->begin;
    bytes = array->bytes;
  } else if (address - dynamic >= bytes) {
    return false;
  }
  const auto at = [&](std::uintptr_t offset) {
    return asked_for_.begin() + static_cast<std::ptrdiff_t>(offset / bytes_of_note);
  };
  return std::any_of(at(begin), at(begin + bytes - 1) + 1,
                     [](unsigned char asked) { return asked != 0; });
}

Worker::~Worker() = default;

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
