#pragma once
/// \file
/// The copies from global to shared memory that a thread has started and not waited for.

#include <array>
#include <cstddef>
#include <vector>

namespace emulator::detail {

struct Lane;

/// Of one thread, oldest first.
struct AsyncCopies {
  struct Copy {
    void* to;
    unsigned bytes;
    std::array<std::byte, 16> value;  ///< what it has read
  };
  std::vector<Copy> copies;
  std::vector<std::size_t> batches;  ///< how many of them each committed batch has
  std::size_t open = 0;              ///< how many are in no batch yet
};

/// The thread has come to its end: what it has not waited for is done, as on a GPU before the block
/// ends.
void end_copies(Lane& lane);

/// For the checks: a copy begins or ends to write `bytes` bytes of shared memory.
void record_copy(const void* shared, unsigned bytes, bool begins, const void* pc);

/// Counts a load from global memory, made at `pc`.
void record_load(const void* global, unsigned bytes, const void* pc);

}  // namespace emulator::detail
