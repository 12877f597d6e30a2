/// @file
/// Checks of how kernels were launched and what they may not do: more parts for an exercise's
/// check.cpp.
#pragma once

#include <cstdint>
#include <string>

#include "checks/exercise.hpp"

namespace course::exercise {

/// Fails the case unless the run launched this many kernels, each with at least this many blocks.
/// Emulator only; on a GPU it does nothing.
void expect_grids(const Run& run, std::uint64_t launches, std::uint64_t blocks);

/// Fails the case if a kernel of the run had an atomic operation in shared memory. Emulator only;
/// on a GPU it does nothing.
void expect_no_shared_atomics(const Run& run);

/// Fails the case unless at least so many asynchronous copies of the run, lane by lane, began while
/// an earlier batch of their thread was in flight. Emulator only; on a GPU it does nothing.
/// @param read where to read again
void expect_copies_ahead(const Run& run, std::uint64_t least, const std::string& read);

/// Fails the case if one warp of the run made more load requests to global memory in one launch.
/// Emulator only; on a GPU it does nothing.
/// @param where for which data
void expect_loads_of_a_warp(const Run& run, std::uint64_t most, const std::string& where);

}  // namespace course::exercise
