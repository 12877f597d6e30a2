/// @file
/// Which line of a student's kernel costs most, in words: a part of what exercise.hpp says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checks/exercise.hpp"
#include "traffic.hpp"

#ifdef CUDA_EMULATOR
#include "emulator/pace.h"
#endif

namespace course::exercise::detail {

/// Whether a variable of the environment is there, and neither empty nor 0.
bool is_set(const char* variable);

#ifdef CUDA_EMULATOR

/// What Run keeps.
struct Launches {
  std::vector<emulator::LaunchRecord> records;
  emulator::Pace pace;  ///< of all of them
};

/// 12345678 as 12 345 678.
std::string grouped(std::uint64_t number);

/// What a counter counts.
std::uint64_t value_of(const emulator::Traffic& traffic, Counter counter);

/// The line where most of what a counter counts comes from, or most of what is too much, and the
/// command that draws it; empty if lines are not known.
std::string dearest_line(const Run& run, Counter counter);

#else

struct Launches {};

#endif

}  // namespace course::exercise::detail
