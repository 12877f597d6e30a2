#pragma once
/// \file
/// What has been done to a word: a set of accesses. A kernel does the same to a great many words,
/// so that there are few different sets. Each has a number, and a word remembers that.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/rooms.hpp"
#include "observers/ordering/places.hpp"

namespace emulator::ordering {

class Histories {
 public:
  using Set = std::uint32_t;  ///< 0 is the empty one

  std::uint32_t add(const Point& point) {
    points_.push_back(point);
    return static_cast<std::uint32_t>(points_.size() - 1);
  }
  const Point& point(std::uint32_t number) const { return points_[number]; }

  /// Whether the set is one of now, and not from before forget().
  bool is_live(Set set) const { return set >= first_; }
  /// The accesses of a live set.
  const std::vector<std::uint32_t>& points_of(Set set) const { return *sets_[set - first_]; }

  /// The live set, or the empty one, and one access more. That drops the last one of the same actor
  /// at the same place: whatever is not ordered with that one is not ordered with this one either,
  /// or has been compared with it already.
  Set with(Set set, std::uint32_t point);

  /// True the first time that it is asked of the two.
  bool is_new_meeting(Set set, std::uint32_t point) {
    return met_.insert(std::uint64_t{set} << 32 | point).second;
  }

  /// All that was done so far can meet nobody any more.
  void forget();

 private:
  std::vector<Point> points_;
  std::map<std::vector<std::uint32_t>, Set> numbers_;
  std::vector<const std::vector<std::uint32_t>*> sets_;
  Set first_ = 1;
  std::unordered_map<std::uint64_t, Set> with_;
  std::unordered_set<std::uint64_t> met_;
};

}  // namespace emulator::ordering
