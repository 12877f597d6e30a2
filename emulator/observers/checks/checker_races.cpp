/// \file
/// What has been written, and races: each access held against the earlier ones to the same word.

#include <algorithm>

#include "observers/checks/checker.hpp"

namespace emulator::checks {

// Whether nothing that the running block does can race with it: it was in an earlier launch, or
// before the block's last barrier, or in another block's shared memory.
bool Checker::is_old(const Slot& slot, bool is_shared) const {
  if (slot.segment >= block_first_) return slot.segment < barrier_first_;
  return is_shared || slot.segment < launch_first_;
}

bool Checker::ordered(const Slot& earlier, const Slot& now) const {
  std::uint32_t block = block_first_;
  const Segment* segment = nullptr;
  if (earlier.segment >= block_first_) {
    segment = &segments_[earlier.segment - block_first_];
    if (segment->warp == warp_) {
      if (earlier.lane == now.lane) return true;
      const WarpState& warp = warps_[warp_];
      const std::uint32_t known =
          warp.known != nullptr ? (*warp.known)[now.lane][earlier.lane] : warp.synchronised;
      if (segment->time < known) return true;
    }
    if (clocks_ != nullptr &&
        clocks_->knows(warp_ * warp_size + now.lane, segment->warp * warp_size + earlier.lane,
                       earlier.segment)) {
      return true;
    }
  } else {
    if (released_.empty()) return false;
    const auto after =
        std::upper_bound(block_firsts_.begin(), block_firsts_.end(), earlier.segment);
    block = *std::prev(after);
    const auto found = released_.find(block);
    if (found == released_.end()) return false;
    segment = &found->second[earlier.segment - block];
  }
  if (!log_.has_releases()) return false;
  return log_.ordered(
      {block, segment->warp * warp_size + earlier.lane, earlier.segment, segment->time},
      block_first_, warp_ * warp_size + now.lane, fence_now(now.lane));
}

// Atomics may meet, and volatile accesses of different warps, which is how flags are polled. Within
// a warp volatile is no substitute for __syncwarp().
bool Checker::allowed_together(const Slot& a, const Slot& b, bool is_shared) const {
  const bool both_strong =
      (a.is_atomic != 0 || a.is_volatile != 0) && (b.is_atomic != 0 || b.is_volatile != 0);
  if (!both_strong) return false;
  if (a.is_atomic != 0 && b.is_atomic != 0) return true;
  if (!is_shared || a.segment < block_first_) return true;
  return segments_[a.segment - block_first_].warp != warp_;
}

inline bool Checker::races(const Slot& earlier, const Touch& touch) const {
  const Slot& now = touch.slot;
  if (earlier.is_unfinished()) return earlier.number() >= shared_since_;
  if (is_old(earlier, touch.is_shared)) return false;
  if (earlier.segment == now.segment && earlier.lane == now.lane) return false;
  return !ordered(earlier, now) && !allowed_together(earlier, now, touch.is_shared);
}

void Checker::check_lane(const Request& request, SiteState& site, unsigned i, const Slot& slot) {
  Region& region = *site.region;
  const AccessKind kind = Access::kind_of(request.what);
  Touch touch;
  touch.slot = slot;
  touch.address = request.address[i];
  touch.bytes = Access::bytes_of(request.what);
  touch.value = request.stored[i];
  touch.kind = kind;
  touch.is_shared = is_shared_kind(kind);
  touch.reads = reads_memory(kind);
  touch.writes = writes_memory(kind);
  touch.is_piece = (Access::flags_of(request.what) & access_flags::is_piece) != 0;

  if (touch.bytes < 4 || (touch.address - region.begin()) % 4 != 0) {
    check_bytes(touch, region);
    return;
  }
  const unsigned words = touch.bytes / 4;
  WriteCell* const writes = region.writes(touch.address);
  ReadCell* const reads = region.reads(touch.address);
  std::uint64_t* const values = region.values(touch.address);
  if (touch.reads) check_written(touch, region, writes, words);
  for (unsigned word = 0; word < words; ++word) {
    check_cells(touch, writes[word], reads[word], values[word]);
    if (region.has_narrow) check_narrow_cells(touch, touch.address + 4 * word);
  }
  if (touch.writes && !touch.is_shared) region.mark_written(touch.address, touch.bytes);
}

bool Checker::is_byte_written(const Region& region, std::uint64_t address) const {
  if (is_written(*region.writes(address))) return true;
  const auto found = shared_narrow_.find(address);
  return found != shared_narrow_.end() && is_written(found->second.write);
}

// Shared memory is new to each block; of global memory the region knows every byte. A piece of a
// structure may be all padding but for one byte, so there one that was written is enough.
void Checker::check_written(const Touch& touch, const Region& region, const WriteCell* writes,
                            unsigned words) {
  if (!touch.is_shared) {
    if (region.is_written()) return;
    const std::size_t unwritten = region.unwritten(touch.address, touch.bytes);
    if (unwritten == 0) return;
    const bool whole_word_missing = unwritten == touch.bytes || (!touch.is_piece && unwritten >= 4);
    if (whole_word_missing) report_unwritten(touch);
    return;
  }
  unsigned missing = 0;
  for (unsigned word = 0; word < words; ++word) {
    const std::uint64_t address = touch.address + 4 * word;
    bool is_missing = !is_written(writes[word]);
    for (unsigned byte = 0; is_missing && region.has_narrow && byte < 4; ++byte) {
      is_missing = !is_byte_written(region, address + byte);
    }
    if (is_missing) ++missing;
  }
  if (missing == words || (missing > 0 && !touch.is_piece)) report_unwritten(touch);
}

// At most one finding an access: the most telling first.
bool Checker::check_writes(const Touch& touch, const WriteCell& write, std::uint64_t value) {
  if (races(write.plain, touch)) {
    const bool same_value =
        touch.writes && !touch.reads && touch.value == value && write.plain.site == touch.slot.site;
    report_race(touch, write.plain, true, same_value);
    return true;
  }
  if (touch.slot.is_atomic == 0 && races(write.atomic, touch)) {
    report_race(touch, write.atomic, true, false);
    return true;
  }
  return false;
}

bool Checker::check_reads(const Touch& touch, const ReadCell& read) {
  for (const Slot* const slot : {&read.first, &read.last}) {
    if (!races(*slot, touch)) continue;
    report_race(touch, *slot, false, false);
    return true;
  }
  return false;
}

void Checker::check_cells(const Touch& touch, WriteCell& write, ReadCell& read,
                          std::uint64_t& value) {
  const Slot& now = touch.slot;
  const bool found = check_writes(touch, write, value);
  if (touch.writes) {
    if (!found) check_reads(touch, read);
    if (touch.slot.is_atomic != 0) {
      write.atomic = now;
    } else {
      write.plain = now;
      value = touch.value;
    }
    return;
  }
  // Two readers are remembered, by different threads and if possible of different warps: whoever
  // writes is then another thread than one of them.
  if (is_old(read.first, touch.is_shared) || is_same_thread(read.first, now)) {
    read.first = now;
  } else if (is_old(read.last, touch.is_shared) || read.first.segment != now.segment) {
    read.last = now;
  } else if (read.last.segment == now.segment || is_same_thread(read.last, now)) {
    read.last = now;
  }
}

bool Checker::is_same_thread(const Slot& earlier, const Slot& now) const {
  // What an asynchronous copy may still be doing is nobody's own.
  if (earlier.lane != now.lane || earlier.is_unfinished()) return false;
  if (earlier.segment == now.segment) return true;
  return earlier.segment >= block_first_ && segments_[earlier.segment - block_first_].warp == warp_;
}

// Parts of words are remembered byte by byte, so that neighbours may use the bytes of one word.
void Checker::check_bytes(const Touch& touch, Region& region) {
  region.has_narrow = true;
  if (touch.reads) {
    std::size_t missing = 0;
    if (touch.is_shared) {
      for (unsigned byte = 0; byte < touch.bytes; ++byte) {
        if (!is_byte_written(region, touch.address + byte)) ++missing;
      }
    } else {
      missing = region.unwritten(touch.address, touch.bytes);
    }
    if (missing == touch.bytes) report_unwritten(touch);
  }
  for (unsigned byte = 0; byte < touch.bytes; ++byte) {
    const std::uint64_t address = touch.address + byte;
    NarrowCell& cell = narrow_cells(touch.is_shared)[address];
    check_cells(touch, cell.write, cell.read, cell.value);
    // Whole words have cells of their own.
    if (check_writes(touch, *region.writes(address), ~touch.value)) continue;
    if (touch.writes) check_reads(touch, *region.reads(address));
  }
  if (touch.writes && !touch.is_shared) region.mark_written(touch.address, touch.bytes);
}

void Checker::check_narrow_cells(const Touch& touch, std::uint64_t word) {
  const NarrowCells& cells = narrow_cells(touch.is_shared);
  for (unsigned byte = 0; byte < 4; ++byte) {
    const auto found = cells.find(word + byte);
    if (found == cells.end()) continue;
    const NarrowCell& cell = found->second;
    if (!check_writes(touch, cell.write, ~touch.value) && touch.writes)
      check_reads(touch, cell.read);
  }
}

}  // namespace emulator::checks
