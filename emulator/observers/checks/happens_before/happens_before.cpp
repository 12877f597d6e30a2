#include "observers/checks/happens_before/happens_before.hpp"

#include <utility>

namespace emulator::checks {

// ---------------------------------------------------------------- launches, blocks, barriers

void HappensBefore::begin_launch() {
  segments_.begin_launch();
  released_.clear();
  block_released_ = false;
  log_.clear();
}

void HappensBefore::begin_block(unsigned threads) {
  const std::uint32_t last = segments_.block_first();
  log_.end_block(last, block_released_);
  if (block_released_) released_.emplace(last, segments_.take());
  block_released_ = false;
  segments_.begin_block(threads / warp_size);
  warps_.begin_block(threads / warp_size);
  clocks_ = nullptr;
  fences_.assign(threads, Fence{});
  has_new_fences_ = false;
}

void HappensBefore::all_synchronised() {
  segments_.all_synchronised();
  if (!has_new_fences_) return;
  auto covered = std::make_shared<std::vector<std::uint32_t>>();
  covered->reserve(fences_.size());
  for (const Fence& fence : fences_) covered->push_back(fence.own);
  for (Fence& fence : fences_) fence.others = covered;
  has_new_fences_ = false;
}

void HappensBefore::block_synchronised(unsigned first_thread) {
  if (!running_.is_of_cluster()) {
    all_synchronised();
    return;
  }
  const unsigned count = running_.threads_of_block();
  for (unsigned i = 0; i < count / warp_size; ++i) segments_.end(first_thread / warp_size + i);
  clocks().meet_all(first_thread, count, segments_.last());
  if (!has_new_fences_) return;
  auto covered = std::make_shared<std::vector<std::uint32_t>>(fences_.size());
  for (unsigned i = first_thread; i < first_thread + count; ++i) (*covered)[i] = fences_[i].own;
  for (unsigned i = first_thread; i < first_thread + count; ++i) fences_[i].others = covered;
}

void HappensBefore::cluster_arrived(bool all_wait) {
  ++cluster_phase_;
  if (all_wait) all_synchronised();
}

void HappensBefore::warp_synchronised(unsigned warp, std::uint32_t lanes, bool all) {
  const std::uint32_t time = segments_.advance(warp);
  if (clocks_ != nullptr) clocks_->meet(warp * warp_size, lanes, segments_.last());
  warps_.meet(warp, lanes, all, time);
}

// What its warps have learnt from __syncwarp() is brought over.
BlockClocks& HappensBefore::clocks() {
  if (clocks_ != nullptr) return *clocks_;
  clocks_ = std::make_unique<BlockClocks>(static_cast<unsigned>(fences_.size()));
  const std::vector<Segment>& segments = segments_.of_block();
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const Segment& segment = segments[i];
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      for (unsigned other = 0; other < warp_size; ++other) {
        if (segment.time >= warps_.known(segment.warp, lane, other)) continue;
        clocks_->learn(segment.warp * warp_size + lane, segment.warp * warp_size + other,
                       segments_.block_first() + i);
      }
    }
  }
  return *clocks_;
}

Slot HappensBefore::end_copy(std::uint64_t place, std::uint64_t phase, unsigned barrier_number) {
  const unsigned copier = clocks().copier_of(barrier_number);
  const std::uint32_t last = segments_.last();
  Slot slot;
  slot.segment = segments_.current_of_copier(copier);
  slot.lane = copier % warp_size & 31U;
  if (slot.segment > last) clocks().end_copy(place, phase, copier, slot.segment);
  return slot;
}

// ---------------------------------------------------------------- fences

// What a fence of that lane of the running warp covers.
Fence HappensBefore::fence_now(unsigned lane) const {
  Fence fence;
  fence.own = segments_.last();
  fence.block = segments_.barrier_first();
  fence.acquired = log_.acquired();
  if (clocks_ != nullptr) {
    fence.row = std::make_shared<BlockClocks::Row>(clocks_->row_of(running_.thread_of(lane)));
  }
  warps_.cover(running_.warp(), lane, fence);
  return fence;
}

void HappensBefore::note_fence(const Request& request) {
  for (unsigned i = 0; i < request.active; ++i) {
    Fence& fence = fences_[running_.thread_of(request.lane[i])];
    auto others = std::move(fence.others);
    // Behind a fence for the whole device one for the block counts as another of that kind.
    const bool is_first = fence.own == 0 || fence.only_block;
    fence = fence_now(request.lane[i]);
    fence.only_block = is_first && Access::kind_of(request.what) == AccessKind::fence &&
                       Access::bytes_of(request.what) == 1;
    fence.others = std::move(others);
  }
  has_new_fences_ = true;
  end_segment();  // what comes after the fence is not covered by it
}

void HappensBefore::note_strong(const Request& request) {
  const AccessKind kind = Access::kind_of(request.what);
  const unsigned flags = Access::flags_of(request.what);
  const bool loads = reads_memory(kind);
  const bool stores = writes_memory(kind);
  if (stores && (flags & access_flags::is_ordered) != 0) note_fence(request);
  const std::uint32_t segment = current_segment();
  const std::uint32_t block = segments_.block_first();
  for (unsigned i = 0; i < request.active; ++i) {
    const unsigned thread = running_.thread_of(request.lane[i]);
    if (loads && log_.has_releases()) {
      log_.acquire(request.address[i],
                   {block, thread, segment, segments_.time_of(running_.warp())});
    }
    if (stores && (fences_[thread].own != 0 || fences_[thread].others != nullptr)) {
      log_.release(request.address[i], block, thread, fences_[thread]);
      block_released_ = true;
    }
  }
}

// ---------------------------------------------------------------- two accesses

// One before a barrier of the grid is not known any more: it counts as the running warp's.
unsigned HappensBefore::warp_of(const Slot& slot) const {
  if (slot.number() < segments_.block_first()) return running_.warp();
  return segments_.warp_of(slot);
}

bool HappensBefore::ordered(const Slot& earlier, const Slot& now) const {
  std::uint32_t block = segments_.block_first();
  const Segment* segment = nullptr;
  if (segments_.is_of_block(earlier)) {
    segment = &segments_.of(earlier);
    if (segment->warp == running_.warp()) {
      if (earlier.lane == now.lane) return true;
      if (segment->time < warps_.known(running_.warp(), now.lane, earlier.lane)) return true;
    }
    if (clocks_ != nullptr &&
        clocks_->knows(running_.thread_of(now.lane), segment->warp * warp_size + earlier.lane,
                       earlier.segment)) {
      return true;
    }
  } else {
    if (released_.empty()) return false;
    block = segments_.first_of_block(earlier);
    const auto found = released_.find(block);
    if (found == released_.end()) return false;
    segment = &found->second[earlier.segment - block];
  }
  if (!log_.has_releases()) return false;
  return log_.ordered(
      {block, segment->warp * warp_size + earlier.lane, earlier.segment, segment->time},
      segments_.block_first(), running_.thread_of(now.lane), fence_now(now.lane));
}

// Atomics may meet, and volatile accesses of different warps, which is how flags are polled. Within
// a warp volatile is no substitute for __syncwarp().
bool HappensBefore::allowed_together(const Slot& earlier, const Slot& now, bool is_shared) const {
  const bool both_strong = (earlier.is_atomic != 0 || earlier.is_volatile != 0) &&
                           (now.is_atomic != 0 || now.is_volatile != 0);
  if (!both_strong) return false;
  if (earlier.is_atomic != 0 && now.is_atomic != 0) return true;
  if (!is_shared || !segments_.is_of_block(earlier)) return true;
  return segments_.warp_of(earlier) != running_.warp();
}

}  // namespace emulator::checks
