#include "observers/checks/happens_before/segments.hpp"

#include <algorithm>

namespace emulator::checks {

void Segments::begin_launch() {
  next_ = next_of_all_launches_;
  launch_first_ = block_first_ = barrier_first_ = next_;
  block_firsts_.clear();
  of_others_.clear();
}

void Segments::goes_on() {
  if (next_of_all_launches_ == next_) return;
  of_others_.push_back({next_, next_of_all_launches_});
  next_ = next_of_all_launches_;
  of_block_.resize(next_ - block_first_);
  for (Warp& warp : warps_) warp.segment = 0;
  last_copier_segment_ = 0;
}

bool Segments::is_of_others(const Slot& slot) const {
  return std::ranges::any_of(of_others_, [number = slot.number()](const Span& span) {
    return number >= span.begin && number < span.end;
  });
}

void Segments::begin_block(unsigned warps) {
  of_block_.clear();
  block_first_ = barrier_first_ = next_;
  block_firsts_.push_back(block_first_);
  warps_.assign(warps, Warp{});
  last_copier_segment_ = 0;
}

void Segments::all_synchronised() {
  barrier_first_ = next_;
  for (Warp& warp : warps_) warp.segment = 0;
}

std::uint32_t Segments::advance(unsigned warp) {
  end(warp);
  return ++warps_[warp].time;
}

std::uint32_t Segments::current_of_copier(unsigned copier) {
  if (last_copier_segment_ != last() || last_copier_ != copier) {
    last_copier_segment_ = next_++;
    last_copier_ = copier;
    of_block_.push_back({copier / warp_size, 0});
  }
  return last_copier_segment_;
}

std::size_t Segments::count_of_block(const Slot& slot) const {
  const auto after = std::upper_bound(block_firsts_.begin(), block_firsts_.end(), slot.segment);
  return static_cast<std::size_t>(after - block_firsts_.begin() - 1);
}

}  // namespace emulator::checks
