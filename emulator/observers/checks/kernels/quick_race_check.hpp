#pragma once
/// \file
/// The common cases of the race check, which need to be fast: whatever was done to the words before
/// is long past, or was done by the same thread.

#include <cstdint>

#include "base/rooms.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// Passes most of the lanes of one request, and leaves behind what the race check would. All of a
/// lane's bytes are in one region, whole words at a multiple of their size.
class QuickRaceCheck {
 public:
  /// \param past what is older than this segment cannot race
  /// \param since what shared memory holds was written in this segment or later
  QuickRaceCheck(Region* region, unsigned bytes, bool is_shared, std::uint32_t past,
                 std::uint32_t since)
      : region_(region), bytes_(bytes), is_shared_(is_shared), past_(past), since_(since) {}

  /// False if it takes a closer look; so with stores.
  bool passes_load(std::uint64_t address, const Slot& now) const;
  bool passes_store(std::uint64_t address, std::uint64_t value, const Slot& now) const;

 private:
  // Whether an earlier access cannot matter: it is long past, or the thread's own just now.
  bool is_past(const Slot& earlier, const Slot& now) const {
    return earlier.segment < past_ || (earlier.segment == now.segment && earlier.lane == now.lane);
  }
  // Whether this block has written a word of shared memory.
  bool is_written(const WriteCell& cell) const {
    return cell.plain.number() >= since_ || cell.atomic.segment >= since_;
  }

  Region* region_;
  unsigned bytes_;
  bool is_shared_;
  std::uint32_t past_;
  std::uint32_t since_;
};

inline bool QuickRaceCheck::passes_load(std::uint64_t address, const Slot& now) const {
  if (!is_shared_ && !region_->is_written() && !region_->is_written(address, bytes_)) return false;
  const WriteCell* write = region_->writes(address);
  ReadCell* read = region_->reads(address);
  for (unsigned word = 0; word < bytes_ / 4; ++word, ++write, ++read) {
    if (!is_past(write->plain, now) || !is_past(write->atomic, now)) return false;
    if (is_shared_ && !is_written(*write)) return false;
    if (is_past(read->first, now)) {
      read->first = now;
    } else if (is_past(read->last, now) || read->first.segment != now.segment ||
               read->last.segment == now.segment) {
      read->last = now;
    }
  }
  return true;
}

inline bool QuickRaceCheck::passes_store(std::uint64_t address, std::uint64_t value,
                                         const Slot& now) const {
  WriteCell* const writes = region_->writes(address);
  const ReadCell* const reads = region_->reads(address);
  const unsigned words = bytes_ / 4;
  for (unsigned word = 0; word < words; ++word) {
    if (!is_past(writes[word].plain, now) || !is_past(writes[word].atomic, now) ||
        !is_past(reads[word].first, now) || !is_past(reads[word].last, now)) {
      return false;
    }
  }
  std::uint64_t* const values = region_->values(address);
  for (unsigned word = 0; word < words; ++word) {
    writes[word].plain = now;
    values[word] = value;
  }
  if (!is_shared_) region_->mark_written(address, bytes_);
  return true;
}

}  // namespace emulator::checks
