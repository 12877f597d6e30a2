#pragma once
/// \file
/// The copies from global to shared memory that a thread has started and not waited for.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

#include "base/rooms.hpp"
#include "engine/barriers/mbarriers.hpp"

namespace emulator::engine {

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
  std::size_t finished = 0;          ///< how many are no longer here
  std::size_t batched = 0;           ///< how many a wait can be for, those among them

  /// What has been copied up to now is something to wait for.
  void end_batch() { batched = finished + copies.size(); }

  // The same of bulk copies to global memory, by their numbers in the block.
  std::vector<Number> out;
  std::vector<Number> out_groups;
  std::size_t out_open = 0;
};

/// The thread has come to its end: what it has not waited for is done, as on a GPU before the block
/// ends.
void end_copies(Lane& lane);

/// The lane's, made if it has none.
AsyncCopies& copies_of(Lane& lane);

/// Writes what the oldest `count` copies have read, whatever batch they belong to; of each one
/// `told` is told.
template <class Told>
void finish_oldest(AsyncCopies& pending, std::size_t count, Told told) {
  count = std::min(count, pending.copies.size());
  for (std::size_t i = 0; i < count; ++i) {
    const AsyncCopies::Copy& copy = pending.copies[i];
    std::memcpy(copy.to, copy.value.data(), copy.bytes);
    told(copy.to, copy.bytes);
  }
  pending.copies.erase(pending.copies.begin(),
                       pending.copies.begin() + static_cast<std::ptrdiff_t>(count));
  pending.finished += count;
  for (std::size_t& batch : pending.batches) {
    const std::size_t taken = std::min(batch, count);
    batch -= taken;
    count -= taken;
  }
  pending.open -= count;
}

/// The bulk copies out of all groups but the newest `newest` read, and unless that is all, write.
/// \param pc where the thread waits for them, for the checks; null at its end
void finish_copies_out(AsyncCopies& pending, std::size_t newest, bool only_read, const void* pc);

/// For the checks: a copy begins or ends to write `bytes` bytes of shared memory.
void record_copy(const void* shared, unsigned bytes, bool begins, const void* pc);

/// Counts a load from global memory, made at `pc`.
void record_load(const void* global, unsigned bytes, const void* pc);

}  // namespace emulator::engine
