#include "observers/checks/happens_before/warp_clocks.hpp"

#include <algorithm>
#include <bit>

namespace emulator::checks {

void WarpClocks::begin_block(unsigned warps) {
  warps_.clear();
  warps_.resize(warps);
}

void WarpClocks::meet(unsigned warp, std::uint32_t lanes, bool all, std::uint32_t time) {
  Warp& here = warps_[warp];
  if (all) {
    here.synchronised = time;
    here.known.reset();
    return;
  }
  if (here.known == nullptr) {
    here.known = std::make_unique<Known>();
    for (auto& row : *here.known) row.fill(here.synchronised);
  }
  // Each of the lanes learns what any of them knew, and all that they have done.
  LaneTimes together{};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const LaneTimes& row = (*here.known)[static_cast<unsigned>(std::countr_zero(rest))];
    for (unsigned i = 0; i < warp_size; ++i) together[i] = std::max(together[i], row[i]);
  }
  for (unsigned i = 0; i < warp_size; ++i) {
    if ((lanes >> i & 1U) != 0) together[i] = time;
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    (*here.known)[static_cast<unsigned>(std::countr_zero(rest))] = together;
  }
}

void WarpClocks::cover(unsigned warp, unsigned lane, Fence& fence) const {
  const Warp& here = warps_[warp];
  fence.warp_time = here.synchronised;
  if (here.known != nullptr) fence.lanes = std::make_shared<LaneTimes>((*here.known)[lane]);
}

}  // namespace emulator::checks
