#include "engine/running_block.hpp"

#include <algorithm>

#include "base/extents.hpp"

namespace emulator::engine {

void RunningBlock::begin(Worker& worker, const Grid& grid, std::uint64_t number,
                         unsigned first_thread) {
  worker_ = &worker;
  details_ = grid.details;
  number_ = number;
  first_thread_ = first_thread;

  // Threads are numbered x fastest, then y, then z, and cut into warps of 32 in that order.
  const dim3 size = grid.configuration.block;
  const unsigned threads = volume(size);
  lanes_.assign(threads, Lane{});
  if (details_ != nullptr) progress_.assign(threads, LaneProgress{});
  warps_.resize((threads + warp_size - 1) / warp_size);
  uint3 index{0, 0, 0};
  for (unsigned thread = 0; thread < threads; ++thread) {
    lanes_[thread].worker = &worker;
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
}

bool RunningBlock::has_live_threads() const {
  return std::any_of(warps_.begin(), warps_.end(),
                     [](const Warp& warp) { return warp.at(Wait::ended) != warp.all(); });
}

bool RunningBlock::has_running_threads() const {
  return std::any_of(warps_.begin(), warps_.end(),
                     [](const Warp& warp) { return warp.at(Wait::nothing) != 0; });
}

bool RunningBlock::is_at_barrier() const {
  return has_live_threads() && std::all_of(warps_.begin(), warps_.end(), [](const Warp& warp) {
           return (warp.at(Wait::block_barrier) | warp.at(Wait::ended)) == warp.all();
         });
}

void RunningBlock::release(Wait what) {
  for (Warp& warp : warps_) warp.move(warp.at(what), what, Wait::nothing);
}

}  // namespace emulator::engine
