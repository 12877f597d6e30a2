#include "observers/checks/happens_before/sync_log.hpp"

#include <algorithm>

namespace emulator::checks {

namespace {

constexpr unsigned lanes_of_warp = 32;
constexpr std::size_t most_steps = 20'000;  // on the way back through those that handed on

// Whether a thread's fence covers what another thread of the same block did before it, by what
// the two have met at.
bool has_met(std::uint32_t thread, const Fence& fence, const Event& earlier) {
  if (earlier.segment < fence.block) return true;
  if (fence.row != nullptr && earlier.thread < fence.row->size() &&
      earlier.segment <= (*fence.row)[earlier.thread]) {
    return true;
  }
  return earlier.thread / lanes_of_warp == thread / lanes_of_warp &&
         earlier.time < fence.time_of(earlier.thread % lanes_of_warp);
}

}  // namespace

bool SyncLog::Release::covers(const Event& earlier) const {
  if (earlier.thread == thread && earlier.segment <= fence.own) return true;
  if (fence.others.covers(earlier.thread, earlier.segment)) return true;
  return has_met(thread, fence, earlier);
}

void SyncLog::clear() {
  releases_.clear();
  acquires_.clear();
  earlier_.clear();
}

void SyncLog::end_block(std::uint32_t block, bool has_released) {
  if (has_released && !acquires_.empty()) earlier_.emplace(block, std::move(acquires_));
  acquires_.clear();
}

void SyncLog::release(std::uint64_t place, std::uint32_t block, std::uint32_t thread,
                      const Fence& fence) {
  std::vector<Release>& here = releases_[place];
  // A thread that writes the place again and again, as one that counts does, needs one entry only
  // as long as nobody else's came in between.
  if (!here.empty() && here.back().block == block && here.back().thread == thread &&
      here.back().fence.own == fence.own && here.back().fence.others == fence.others) {
    return;
  }
  here.push_back({block, thread, fence});
}

void SyncLog::acquire(std::uint64_t place, const Event& reader) {
  const auto found = releases_.find(place);
  if (found == releases_.end()) return;
  // A thread that polls, maybe together with its warp, needs one entry only.
  const std::size_t recent = std::min<std::size_t>(acquires_.size(), lanes_of_warp);
  for (auto last = acquires_.rbegin(); last != acquires_.rbegin() + static_cast<int>(recent);
       ++last) {
    if (last->releases == &found->second && last->reader.thread == reader.thread &&
        last->count == found->second.size()) {
      return;
    }
  }
  acquires_.push_back({&found->second, found->second.size(), reader});
}

const std::vector<SyncLog::Acquire>* SyncLog::acquires_of(std::uint32_t block) const {
  const auto found = earlier_.find(block);
  return found == earlier_.end() ? &acquires_ : &found->second;
}

bool SyncLog::ordered(const Event& earlier, std::uint32_t block, std::uint32_t reader,
                      const Fence& sight, std::optional<std::uint64_t> except) const {
  if (acquires_.empty()) return false;
  const auto left_out = except ? releases_.find(*except) : releases_.end();
  struct Step {
    const std::vector<Acquire>* acquires;
    std::uint32_t block;
    std::uint32_t thread;
    const Fence* fence;
  };
  const auto reaches = [](const Release& release, const Step& step) {
    return !release.fence.only_block || release.block == step.block;
  };
  std::vector<Step> steps{{&acquires_, block, reader, &sight}};
  std::unordered_map<const void*, std::size_t> followed;  // this many releases of a place
  for (std::size_t next = 0; next < steps.size() && next < most_steps; ++next) {
    const Step step = steps[next];
    const std::size_t visible = std::min<std::size_t>(step.fence->acquired, step.acquires->size());
    // The last ones are the most likely.
    for (std::size_t i = visible; i-- > 0;) {
      const Acquire& acquire = (*step.acquires)[i];
      if (left_out != releases_.end() && acquire.releases == &left_out->second) continue;
      if (acquire.reader.thread != step.thread &&
          !has_met(step.thread, *step.fence, acquire.reader)) {
        continue;
      }
      // Blocks run one after another, so the releases of a place are in the order of blocks.
      const auto begin = acquire.releases->begin();
      const auto end = begin + static_cast<std::ptrdiff_t>(acquire.count);
      auto release =
          std::upper_bound(begin, end, earlier.block,
                           [](std::uint32_t wanted, const Release& a) { return wanted < a.block; });
      while (release != begin && (--release)->block == earlier.block) {
        if (reaches(*release, step) && release->covers(earlier)) return true;
      }
      for (std::size_t& done = followed[acquire.releases]; done < acquire.count; ++done) {
        const Release& other = (*acquire.releases)[done];
        if (other.fence.acquired == 0 || !reaches(other, step)) continue;
        steps.push_back({acquires_of(other.block), other.block, other.thread, &other.fence});
      }
    }
  }
  return false;
}

}  // namespace emulator::checks
