/// \file
/// What orders a block's accesses: barriers, warps that meet, fences and what they publish.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "observers/checks/checker.hpp"

namespace emulator::checks {

void Checker::all_synchronised() {
  barrier_first_ = next_segment_;
  for (WarpState& warp : warps_) warp.segment = 0;
  if (!has_new_fences_) return;
  auto covered = std::make_shared<std::vector<std::uint32_t>>();
  covered->reserve(fences_.size());
  for (const Fence& fence : fences_) covered->push_back(fence.own);
  for (Fence& fence : fences_) fence.others = covered;
  has_new_fences_ = false;
}

void Checker::warp_synchronised(unsigned number, std::uint32_t lanes, bool all) {
  WarpState& warp = warps_[number];
  warp.segment = 0;
  ++warp.time;
  if (clocks_ != nullptr) clocks_->meet(number * warp_size, lanes, next_segment_ - 1);
  if (all) {
    warp.synchronised = warp.time;
    warp.known.reset();
    return;
  }
  if (warp.known == nullptr) {
    warp.known = std::make_unique<Known>();
    for (auto& row : *warp.known) row.fill(warp.synchronised);
  }
  // Each of the lanes learns what any of them knew, and all that they have done.
  std::array<std::uint32_t, warp_size> together{};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto& row = (*warp.known)[static_cast<unsigned>(std::countr_zero(rest))];
    for (unsigned i = 0; i < warp_size; ++i) together[i] = std::max(together[i], row[i]);
  }
  for (unsigned i = 0; i < warp_size; ++i) {
    if ((lanes >> i & 1U) != 0) together[i] = warp.time;
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    (*warp.known)[static_cast<unsigned>(std::countr_zero(rest))] = together;
  }
}

// What a fence of that lane of the running warp covers.
Fence Checker::fence_now(unsigned lane) const {
  const WarpState& warp = warps_[warp_];
  Fence fence;
  fence.own = next_segment_ - 1;
  fence.block = barrier_first_;
  fence.warp_time = warp.synchronised;
  fence.acquired = log_.acquired();
  if (clocks_ != nullptr) {
    fence.row = std::make_shared<BlockClocks::Row>(clocks_->row_of(warp_ * warp_size + lane));
  }
  if (warp.known != nullptr) fence.lanes = std::make_shared<LaneTimes>((*warp.known)[lane]);
  return fence;
}

void Checker::note_fence(const Request& request) {
  for (unsigned i = 0; i < request.active; ++i) {
    Fence& fence = fences_[warp_ * warp_size + request.lane[i]];
    auto others = std::move(fence.others);
    // Behind a fence for the whole device one for the block counts as another of that kind.
    const bool is_first = fence.own == 0 || fence.only_block;
    fence = fence_now(request.lane[i]);
    fence.only_block = is_first && Access::kind_of(request.what) == AccessKind::fence &&
                       Access::bytes_of(request.what) == 1;
    fence.others = std::move(others);
  }
  has_new_fences_ = true;
  warps_[warp_].segment = 0;  // what comes after the fence is not covered by it
}

void Checker::note_strong(const Request& request) {
  const AccessKind kind = Access::kind_of(request.what);
  const unsigned flags = Access::flags_of(request.what);
  const bool loads = reads_memory(kind);
  const bool stores = writes_memory(kind);
  if (stores && (flags & access_flags::is_ordered) != 0) note_fence(request);
  const std::uint32_t segment = current_segment();
  for (unsigned i = 0; i < request.active; ++i) {
    const unsigned thread = warp_ * warp_size + request.lane[i];
    if (loads && log_.has_releases()) {
      log_.acquire(request.address[i], {block_first_, thread, segment, warps_[warp_].time});
    }
    if (stores && (fences_[thread].own != 0 || fences_[thread].others != nullptr)) {
      log_.release(request.address[i], block_first_, thread, fences_[thread]);
      block_released_ = true;
    }
  }
}

}  // namespace emulator::checks
