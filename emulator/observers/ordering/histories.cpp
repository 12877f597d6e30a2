#include "observers/ordering/histories.hpp"

#include <algorithm>

namespace emulator::ordering {

Histories::Set Histories::with(Set set, std::uint32_t point) {
  const auto [known, is_new] = with_.try_emplace(std::uint64_t{set} << 32 | point, 0);
  if (!is_new) return known->second;
  std::vector<std::uint32_t> points;
  if (set != 0) points = points_of(set);
  const Point& added = points_[point];
  std::erase_if(points, [&](std::uint32_t other) {
    const Point& earlier = points_[other];
    return earlier.actor == added.actor && earlier.place == added.place &&
           earlier.is_strong == added.is_strong;
  });
  points.push_back(point);
  const Set next = first_ + static_cast<Set>(sets_.size());
  const auto [entry, is_first] = numbers_.try_emplace(std::move(points), next);
  if (is_first) sets_.push_back(&entry->first);
  known->second = entry->second;
  return entry->second;
}

void Histories::forget() {
  first_ += static_cast<Set>(sets_.size());
  points_.clear();
  sets_.clear();
  numbers_.clear();
  with_.clear();
  met_.clear();
}

}  // namespace emulator::ordering
