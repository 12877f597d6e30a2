#include "sync_log.hpp"

#include <algorithm>

namespace emulator::detail {

void SyncLog::clear() {
  releases_.clear();
  acquires_.clear();
}

void SyncLog::release(std::uint64_t place, std::uint32_t block, std::uint32_t thread,
                      const Fence& fence) {
  std::vector<Release>& here = releases_[place];
  // A thread that writes the place again and again, as one that counts does, needs one entry only
  // as long as nobody else's came in between.
  if (!here.empty() && here.back().block == block && here.back().thread == thread &&
      here.back().fence.own == fence.own) {
    return;
  }
  here.push_back({block, thread, fence});
}

void SyncLog::acquire(std::uint64_t place, std::uint32_t thread, std::uint32_t segment) {
  const auto found = releases_.find(place);
  if (found == releases_.end()) return;
  if (!acquires_.empty() && acquires_.back().releases == &found->second &&
      acquires_.back().thread == thread && acquires_.back().count == found->second.size()) {
    return;
  }
  acquires_.push_back({&found->second, found->second.size(), thread, segment});
}

bool SyncLog::ordered(std::uint32_t block, std::uint32_t thread, std::uint32_t segment,
                      std::uint32_t reader, std::uint32_t barrier) const {
  for (const Acquire& acquire : acquires_) {
    if (acquire.thread != reader && acquire.segment >= barrier) continue;
    // Blocks run one after another, so the releases of a place are in the order of blocks.
    const auto begin = acquire.releases->begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(acquire.count);
    auto release = std::lower_bound(
        begin, end, block, [](const Release& a, std::uint32_t wanted) { return a.block < wanted; });
    for (; release != end && release->block == block; ++release) {
      if (segment < release->fence.block) return true;
      if (release->thread == thread && segment <= release->fence.own) return true;
    }
  }
  return false;
}

}  // namespace emulator::detail
