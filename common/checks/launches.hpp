/// @file
/// Checks of how kernels were launched and what they may not do: more parts for an exercise's
/// check.cpp.
#pragma once

#include <cstdint>

#include "checks/exercise.hpp"

namespace course::exercise {

/// Fails the case unless the run launched this many kernels, each with at least this many blocks.
/// Emulator only; on a GPU it does nothing.
void expect_grids(const Run& run, std::uint64_t launches, std::uint64_t blocks);

/// Fails the case if a kernel of the run had an atomic operation in shared memory. Emulator only;
/// on a GPU it does nothing.
void expect_no_shared_atomics(const Run& run);

}  // namespace course::exercise
