/// @file
/// Numbers that nobody knows before work is graded: a program that knows the checks does not know
/// these.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

namespace course::testing {

/// A number that is `usual`, and when work is graded one from `low` to `high`, drawn from the seed
/// that the grader has chosen.
inline int drawn(int usual, int low, int high) {
  const char* const seed = std::getenv("COURSE_GRADING_SEED");
  if (seed == nullptr) return usual;
  static std::uint64_t times = 0;
  std::mt19937_64 bits(std::strtoull(seed, nullptr, 10) + ++times);
  return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
}

}  // namespace course::testing
