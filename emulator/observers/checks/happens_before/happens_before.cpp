#include "observers/checks/happens_before/happens_before.hpp"

#include <algorithm>
#include <utility>

namespace emulator::checks {

// ---------------------------------------------------------------- launches, blocks, barriers

void HappensBefore::begin_launch() {
  segments_.begin_launch();
  released_.clear();
  block_released_ = false;
  log_.clear();
  flags_.clear();
  draws_.begin_launch();
  left_.clear();
}

void HappensBefore::begin_block(unsigned threads) {
  const std::uint32_t last = segments_.block_first();
  log_.end_block(last, block_released_);
  if (block_released_) released_.emplace(last, segments_.take());
  block_released_ = false;
  segments_.begin_block(threads / warp_size);
  warps_.begin_block(threads / warp_size);
  clocks_ = nullptr;
  heard_from_.clear();
  draws_.begin_block();
  fences_.assign(threads, Fence{});
  has_fences_ = false;
}

void HappensBefore::all_synchronised() {
  segments_.all_synchronised();
  share_fences(0, fences_.size());
}

void HappensBefore::block_synchronised(unsigned first_thread) {
  if (!running_.is_of_cluster()) {
    all_synchronised();
    return;
  }
  const unsigned count = running_.threads_of_block();
  for (unsigned i = 0; i < count / warp_size; ++i) segments_.end(first_thread / warp_size + i);
  clocks().meet_all(first_thread, count, segments_.last());
  share_fences(first_thread, count);
}

void HappensBefore::cluster_arrived(bool all_wait) {
  ++cluster_phase_;
  if (all_wait) all_synchronised();
}

void HappensBefore::warp_synchronised(unsigned warp, std::uint32_t lanes, bool all) {
  const std::uint32_t time = segments_.advance(warp);
  if (clocks_ != nullptr) clocks_->meet(warp * warp_size, lanes, segments_.last());
  warps_.meet(warp, lanes, all, time);
  share_fences(warp * warp_size, warp_size, lanes);
}

void HappensBefore::arrive(std::uint64_t place, std::uint64_t phase, unsigned thread) {
  FencedWork& fenced = fences_[thread].others;
  if (const std::uint32_t own = fenced_by(thread); own != 0 && !fenced.covers(thread, own)) {
    std::vector<std::uint32_t> more(fences_.size());
    more[thread] = own;
    fenced.add(FencedWork(std::move(more)));
  }
  clocks().arrive(place, phase, thread, segments_.last(), fenced);
}

void HappensBefore::see_phase(std::uint64_t place, std::uint64_t phase, unsigned thread) {
  fences_[thread].others.add(clocks().see(place, phase, thread));
}

// What a thread's own fence covers for other blocks.
std::uint32_t HappensBefore::fenced_by(unsigned thread) const {
  return fences_[thread].only_block ? 0 : fences_[thread].own;
}

void HappensBefore::share_fences(unsigned first, std::size_t count, std::uint32_t lanes) {
  if (!has_fences_) return;
  std::vector<unsigned> threads;
  for (unsigned i = 0; i < count; ++i) {
    if (count > warp_size || (lanes >> i & 1U) != 0) threads.push_back(first + i);
  }
  FencedWork together;
  for (const unsigned thread : threads) together.add(fences_[thread].others);
  std::vector<std::uint32_t> own;
  for (const unsigned thread : threads) {
    const std::uint32_t fenced = fenced_by(thread);
    if (fenced == 0 || together.covers(thread, fenced)) continue;
    own.resize(fences_.size());
    own[thread] = fenced;
  }
  if (!own.empty()) together.add(FencedWork(std::move(own)));
  for (const unsigned thread : threads) fences_[thread].others = together;
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
  has_fences_ = true;
  end_segment();  // what comes after the fence is not covered by it
}

// A ticket is read and changed at once, by all: it says nothing of who has drawn it before.
void HappensBefore::note_flags(const Request& request, std::uint32_t segment) {
  const AccessKind kind = Access::kind_of(request.what);
  if (reads_memory(kind) && writes_memory(kind)) {
    if (kind == AccessKind::global_atomic) draws_.note(request, segments_.block_first());
    return;
  }
  const std::uint32_t block = segments_.block_first();
  for (unsigned i = 0; i < request.active; ++i) {
    const unsigned thread = running_.thread_of(request.lane[i]);
    if (writes_memory(kind)) {
      draws_.note_store(request.address[i]);
      const bool after_fence = fences_[thread].covers_anything();
      flags_[request.address[i]] = {block, segment,
                                    after_fence ? Heard::flag_after_fence : Heard::flag};
    } else if (const auto flag = flags_.find(request.address[i]); flag != flags_.end()) {
      Hearing& hearing = heard_from_[flag->second.block];
      hearing.heard = std::max(hearing.heard, flag->second.heard);
      hearing.segment = std::max(hearing.segment, flag->second.segment);
      hearing.pc = request.pc;
    }
  }
}

HappensBefore::Heard HappensBefore::heard_from(const Slot& earlier) const {
  if (segments_.is_of_block(earlier)) return Heard::nothing;
  const auto found = heard_from_.find(segments_.first_of_block(earlier));
  return found == heard_from_.end() ? Heard::nothing : found->second.heard;
}

bool HappensBefore::has_heard_since(const Slot& earlier) const {
  if (segments_.is_of_block(earlier)) return false;
  const auto found = heard_from_.find(segments_.first_of_block(earlier));
  return found != heard_from_.end() && found->second.segment >= earlier.segment;
}

std::uint64_t HappensBefore::heard_without_draw(const Slot& earlier) const {
  if (draws_.any() || segments_.is_of_block(earlier)) return 0;
  const auto found = heard_from_.find(segments_.first_of_block(earlier));
  return found == heard_from_.end() ? 0 : found->second.pc;
}

void HappensBefore::note_strong(const Request& request) {
  const AccessKind kind = Access::kind_of(request.what);
  const unsigned flags = Access::flags_of(request.what);
  const bool loads = reads_memory(kind);
  const bool stores = writes_memory(kind);
  if (stores && (flags & access_flags::is_ordered) != 0) note_fence(request);
  const std::uint32_t segment = current_segment();
  note_flags(request, segment);
  const std::uint32_t block = segments_.block_first();
  for (unsigned i = 0; i < request.active; ++i) {
    const unsigned thread = running_.thread_of(request.lane[i]);
    if (loads && log_.has_releases()) {
      log_.acquire(request.address[i],
                   {block, thread, segment, segments_.time_of(running_.warp())});
    }
    if (stores && fences_[thread].covers_anything()) {
      log_.release(request.address[i], block, thread, fences_[thread]);
      block_released_ = true;
    }
  }
}

// ---------------------------------------------------------------- turns

namespace {

// Where a block hands on what it knows to itself: no address.
std::uint64_t place_of_turn(std::uint64_t number) {
  return std::uint64_t{1} << 63 | number;
}

}  // namespace

void HappensBefore::leaves_turn(std::uint64_t number) {
  std::vector<bool>& has_fence = left_[number];
  for (const Fence& fence : fences_) has_fence.push_back(fence.covers_anything());
  all_synchronised();
  log_.release(place_of_turn(number), segments_.block_first(), 0, fence_now(0));
  block_released_ = true;
}

void HappensBefore::begins_turn(std::uint64_t number) {
  const auto left = left_.find(number);
  if (left == left_.end()) return;
  const std::uint32_t segment = segments_.current(0);
  log_.acquire(place_of_turn(number), {segments_.block_first(), 0, segment, segments_.time_of(0)});
  all_synchronised();
  for (std::size_t thread = 0; thread < fences_.size(); ++thread) {
    if (left->second[thread]) fences_[thread] = fence_now(0);
    has_fences_ = has_fences_ || left->second[thread];
  }
  left_.erase(left);
}

// ---------------------------------------------------------------- two accesses

// One before a barrier of the grid is not known any more: it counts as the running warp's.
unsigned HappensBefore::warp_of(const Slot& slot) const {
  if (slot.number() < segments_.block_first()) return running_.warp();
  return segments_.warp_of(slot);
}

bool HappensBefore::ordered(const Slot& earlier, const Slot& now,
                            std::optional<std::uint64_t> except) const {
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
      segments_.block_first(), running_.thread_of(now.lane), fence_now(now.lane), except);
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
