#include "observers/checks/kernels/race_check.hpp"

#include <cstddef>

#include "base/arena.hpp"
#include "emulator/strict_checks.h"

namespace emulator::checks {

inline bool RaceCheck::races(const Slot& earlier, const Touch& touch) {
  const Slot& now = touch.slot;
  if (earlier.is_unfinished()) return earlier.number() >= shared_.since();
  if (order_.segments().is_old(earlier, touch.is_shared)) return false;
  if (earlier.segment == now.segment && earlier.lane == now.lane) return false;
  if (!order_.ordered(earlier, now)) {
    return !order_.allowed_together(earlier, now, touch.is_shared) ||
           sites_.of(now).splits(sites_.of(earlier));
  }
  if (now.is_atomic != 0 || now.is_volatile != 0) return false;  // it may be the flag itself
  if (const std::uint64_t pc = order_.heard_without_draw(earlier)) {
    reports_.report_undrawn(touch, earlier, pc);
  }
  return false;
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

// What orders two updates must be something else than the word: a thread that has read there what
// another has stored is after it only because that one came first here.
bool RaceCheck::is_lost_update(const Touch& touch, const WriteCell& write, const ReadCell& read,
                               std::uint64_t value) const {
  const Slot& now = touch.slot;
  const bool by_atomics = now.is_atomic != 0;
  const Slot& earlier = by_atomics ? write.atomic : write.plain;
  if (!touch.writes || touch.reads) return false;
  if (by_atomics ? order_.may_have_turn(earlier, touch.address)
                 : now.is_volatile == 0 || earlier.is_volatile == 0) {
    return false;
  }
  if (earlier.site != now.site || value == touch.value) return false;
  if (order_.segments().is_old(earlier, touch.is_shared) || order_.is_same_thread(earlier, now)) {
    return false;
  }
  const auto has_read = [&](const Slot& slot) {
    return (by_atomics ? slot.is_atomic : slot.is_volatile) != 0 &&
           order_.is_same_thread(slot, now);
  };
  if (!has_read(read.first) && !has_read(read.last)) return false;
  return !order_.ordered(earlier, now, touch.address);
}

void RaceCheck::check_cells(const Touch& touch, WriteCell& write, ReadCell& read,
                            std::uint64_t& value) {
  const Slot& now = touch.slot;
  bool found = check_writes(touch, write, value);
  if (split_updates_race && !found && is_lost_update(touch, write, read, value)) {
    found = true;
    Touch update = touch;
    update.is_update = true;
    reports_.report_race(update, now.is_atomic != 0 ? write.atomic : write.plain, true, false);
  }
  // An atomic operation that leaves what another thread has stored atomically is a load.
  const bool is_idle = split_updates_race && touch.reads && touch.value == value &&
                       write.atomic.segment != 0 && !order_.is_same_thread(write.atomic, now);
  if (touch.writes && !is_idle) {
    if (!found) check_reads(touch, read);
    if (touch.slot.is_atomic != 0) {
      write.atomic = now;
      if (split_updates_race) value = touch.value;
    } else {
      write.plain = now;
      value = touch.value;
    }
    return;
  }
  // Two readers are remembered, by different threads and if possible of different warps: the writer
  // then differs from at least one of them.
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

void RaceCheck::check_read_only(const Request& request) {
  const Segments& segments = order_.segments();
  for (unsigned i = 0; i < request.active; ++i) {
    const std::uint64_t address = request.address[i];
    const Region* const region = address - arena_base < arena_size ? region_of(address) : nullptr;
    if (region == nullptr) continue;
    const WriteCell& word = *region->writes(address);
    const Slot now = sites_.at(request.pc).access(0, request.lane[i]);
    for (const Slot& written : {word.plain, word.atomic, narrow_write(address, false)}) {
      if (written.segment == 0 || written.is_unfinished()) continue;
      if (segments.is_of_launch(written)) {
        reports_.report_read_only(now, address, written);
        break;
      }
    }
  }
}

Slot RaceCheck::narrow_write(std::uint64_t address, bool is_shared) {
  const NarrowCells& cells = narrow_cells(is_shared);
  const auto found = cells.find(address);
  return found == cells.end() ? Slot{} : found->second.write.plain;
}

}  // namespace emulator::checks

void emulator::forbid_split_updates() {
  checks::split_updates_race = true;
}
