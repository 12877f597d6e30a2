#include "observers/checks/kernels/race_check.hpp"

#include <cstddef>

namespace emulator::checks {

inline bool RaceCheck::races(const Slot& earlier, const Touch& touch) const {
  const Slot& now = touch.slot;
  if (earlier.is_unfinished()) return earlier.number() >= shared_.since();
  if (order_.segments().is_old(earlier, touch.is_shared)) return false;
  if (earlier.segment == now.segment && earlier.lane == now.lane) return false;
  return !order_.ordered(earlier, now) && !order_.allowed_together(earlier, now, touch.is_shared);
}

void RaceCheck::check(const Request& request, Region& region, unsigned i, const Slot& slot) {
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

// Shared memory is new to each block; of global memory the region knows every byte. A piece of a
// structure may be all padding but for one byte, so there one that was written is enough.
void RaceCheck::check_written(const Touch& touch, const Region& region, const WriteCell* writes,
                              unsigned words) {
  if (!touch.is_shared) {
    if (region.is_written()) return;
    const std::size_t unwritten = region.unwritten(touch.address, touch.bytes);
    if (unwritten == 0) return;
    const bool whole_word_missing = unwritten == touch.bytes || (!touch.is_piece && unwritten >= 4);
    if (whole_word_missing) reports_.report_unwritten(touch);
    return;
  }
  unsigned missing = 0;
  for (unsigned word = 0; word < words; ++word) {
    const std::uint64_t address = touch.address + 4 * word;
    bool is_missing = !shared_.is_written(writes[word]);
    for (unsigned byte = 0; is_missing && region.has_narrow && byte < 4; ++byte) {
      is_missing = !shared_.is_byte_written(region, address + byte);
    }
    if (is_missing) ++missing;
  }
  if (missing == words || (missing > 0 && !touch.is_piece)) reports_.report_unwritten(touch);
}

// At most one finding an access: the most telling first.
bool RaceCheck::check_writes(const Touch& touch, const WriteCell& write, std::uint64_t value) {
  if (races(write.plain, touch)) {
    const bool same_value =
        touch.writes && !touch.reads && touch.value == value && write.plain.site == touch.slot.site;
    reports_.report_race(touch, write.plain, true, same_value);
    return true;
  }
  if (touch.slot.is_atomic == 0 && races(write.atomic, touch)) {
    reports_.report_race(touch, write.atomic, true, false);
    return true;
  }
  return false;
}

bool RaceCheck::check_reads(const Touch& touch, const ReadCell& read) {
  for (const Slot* const slot : {&read.first, &read.last}) {
    if (!races(*slot, touch)) continue;
    reports_.report_race(touch, *slot, false, false);
    return true;
  }
  return false;
}

void RaceCheck::check_cells(const Touch& touch, WriteCell& write, ReadCell& read,
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
  const auto is_old = [&](const Slot& slot) {
    return order_.segments().is_old(slot, touch.is_shared);
  };
  if (is_old(read.first) || order_.is_same_thread(read.first, now)) {
    read.first = now;
  } else if (is_old(read.last) || read.first.segment != now.segment ||
             read.last.segment == now.segment || order_.is_same_thread(read.last, now)) {
    read.last = now;
  }
}

// Parts of words are remembered byte by byte, so that neighbours may use the bytes of one word.
void RaceCheck::check_bytes(const Touch& touch, Region& region) {
  region.has_narrow = true;
  if (touch.reads) {
    std::size_t missing = 0;
    if (touch.is_shared) {
      for (unsigned byte = 0; byte < touch.bytes; ++byte) {
        if (!shared_.is_byte_written(region, touch.address + byte)) ++missing;
      }
    } else {
      missing = region.unwritten(touch.address, touch.bytes);
    }
    if (missing == touch.bytes) reports_.report_unwritten(touch);
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

void RaceCheck::check_narrow_cells(const Touch& touch, std::uint64_t word) {
  const NarrowCells& cells = narrow_cells(touch.is_shared);
  for (unsigned byte = 0; byte < 4; ++byte) {
    const auto found = cells.find(word + byte);
    if (found == cells.end()) continue;
    const NarrowCell& cell = found->second;
    if (!check_writes(touch, cell.write, ~touch.value) && touch.writes)
      check_reads(touch, cell.read);
  }
}

Slot RaceCheck::narrow_write(std::uint64_t address, bool is_shared) {
  const NarrowCells& cells = narrow_cells(is_shared);
  const auto found = cells.find(address);
  return found == cells.end() ? Slot{} : found->second.write.plain;
}

}  // namespace emulator::checks
