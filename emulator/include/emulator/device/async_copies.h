#pragma once
#pragma GCC system_header
/// \file
/// Copies from global to shared memory that go on while the thread does something else (cp.async).
///
/// A copy reads global memory when it is started and writes shared memory when it is waited for:
/// a thread that reads the tile too early finds what was there before. That is counted as a GPU
/// counts it, one load from global memory and no store to shared memory. While the checks are on,
/// an access to the tile by anybody before the copy has been waited for is an error.

#include <cstddef>

#include "emulator/inline.h"

namespace emulator::detail {

/// Starts to copy `bytes` bytes, which are 4, 8 or 16, as a part of the running thread's batch that
/// is not committed yet. The last `zeros` of them are not read but become 0. An address that is not
/// aligned to `bytes`, or a wrong size, ends the launch.
void start_copy(void* shared, const void* global, std::size_t bytes, std::size_t zeros);

/// Ends the running thread's batch: what is started from now on belongs to the next.
void commit_copies();

/// Waits for all committed batches of the running thread but the newest `newest`.
void wait_for_copies(std::size_t newest);

/// How many of `bytes` bytes one copy can move: 16, 8 or 4, or 0 if only ordinary accesses can.
EMULATOR_UNSEEN inline unsigned copy_piece(const void* to, const void* from, std::size_t bytes) {
  const auto bits = reinterpret_cast<std::size_t>(to) | reinterpret_cast<std::size_t>(from) | bytes;
  return bits % 16 == 0 ? 16 : bits % 8 == 0 ? 8 : bits % 4 == 0 ? 4 : 0;
}

/// Copies `bytes` bytes: asynchronously if addresses and size are multiples of 4, else at once. Of
/// several threads that share the work each takes the pieces from `first` on in steps of `stride`.
EMULATOR_INLINE void copy_in_pieces(void* to, const void* from, std::size_t bytes,
                                    std::size_t first = 0, std::size_t stride = 1) {
  const std::size_t piece = copy_piece(to, from, bytes);
  char* const target = static_cast<char*>(to);
  const char* const source = static_cast<const char*>(from);
  if (piece == 0) {
    for (std::size_t i = first; i < bytes; i += stride) target[i] = source[i];
    return;
  }
  for (std::size_t at = first * piece; at < bytes; at += stride * piece) {
    start_copy(target + at, source + at, piece, 0);
  }
}

}  // namespace emulator::detail
