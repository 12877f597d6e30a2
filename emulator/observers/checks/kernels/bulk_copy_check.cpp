#include "observers/checks/kernels/bulk_copy_check.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace emulator::checks {
namespace {

constexpr unsigned chunk = 16;  // bytes of a bulk copy that are checked at once

std::uint64_t what_of(AccessKind kind, unsigned bytes) {
  return static_cast<std::uint64_t>(kind) << 8 | bytes;
}

// As much of what is left as one access can have there. A row of a tensor's may begin and end
// anywhere.
unsigned bytes_at_once(std::uint64_t address, std::uint64_t left) {
  unsigned bytes = chunk;
  while (bytes > left || address % bytes != 0) bytes /= 2;
  return bytes;
}

// Copies out that lanes of a warp start together and alike are one: ptxas makes a uniform
// instruction of them, which is executed once for all lanes that name the same.
bool is_same_copy_out(const BulkCopy& one, const BulkCopy& other) {
  const auto is_same_piece = [](const TilePiece& a, const TilePiece& b) {
    return a.shared == b.shared && a.global == b.global && a.bytes == b.bytes;
  };
  return !one.is_in && !other.is_in && one.from == other.from && one.to == other.to &&
         one.bytes == other.bytes &&
         std::equal(one.tile.pieces.begin(), one.tile.pieces.end(), other.tile.pieces.begin(),
                    other.tile.pieces.end(), is_same_piece);
}

// The writer is known of words, but a tensor may end within one: the piece has it that has its
// last byte. (In shared memory a row of a box ends with a word.)
std::uint64_t word_at(std::uint64_t shared) {
  return shared & ~std::uint64_t{3};
}

// What a copy is for the memory on one of its sides, as if its thread did it. (Shared memory of
// another block may be on both.)
AccessKind kind_of(const BulkCopy& copy, bool is_shared) {
  if (copy.operation != AsyncOperation::store) return AccessKind::shared_atomic;
  const bool writes = copy.is_in == is_shared;
  if (is_shared || copy.is_from_shared) {
    return writes ? AccessKind::shared_store : AccessKind::shared_load;
  }
  return writes ? AccessKind::global_store : AccessKind::global_load;
}

}  // namespace

void BulkCopyCheck::check(const Request& request) {
  for (unsigned i = 0; i < request.active; ++i) {
    const BulkCopy& copy = bulk_copy(request.address[i]);
    order_.clocks();
    if (std::any_of(request.address.begin(), request.address.begin() + i, [&](std::uint64_t other) {
          return is_same_copy_out(bulk_copy(other), copy);
        })) {
      continue;
    }
    if (copy.is_in) {
      barriers_.check_use_by_copy(copy.barrier, running_.thread_of(request.lane[i]), request.pc);
    }
    check_side(request, i, copy, false);
    check_side(request, i, copy, true);
  }
}

// It is what loads or stores of the thread would do that starts it, but that they are not done yet.
void BulkCopyCheck::check_side(const Request& request, unsigned i, const BulkCopy& copy,
                               bool is_shared) {
  const AccessKind kind = kind_of(copy, is_shared);
  Request access;
  access.pc = request.pc;
  access.active = 1;
  access.lane[0] = request.lane[i];
  access.stored[0] = ~std::uint64_t{0};
  CodeSite& site = sites_.at(access.pc);
  site.note_copy(copy);

  bool is_told = false;
  copy.for_each_piece([&](const TilePiece& piece) {
    const std::uint64_t begin = is_shared ? word_at(piece.shared) : piece.global;
    if (begin == 0) return;  // outside a tensor
    const std::uint64_t end =
        is_shared ? word_at(piece.shared + piece.bytes) : piece.global + piece.bytes;
    for (std::uint64_t address = begin; address < end;) {
      access.address[0] = address;
      const unsigned bytes = bytes_at_once(address, end - address);
      access.what = what_of(kind, bytes);
      is_told |= check_chunk(access, site, copy, is_shared, is_told);
      address += bytes;
    }
  });
}

// ---------------------------------------------------------------- some bytes, 16 at most

// The writer of each word, and its bytes since then.
class BulkCopyCheck::Writers {
 public:
  void add(const Slot& write) { writes_[count_++] = write; }
  const Slot* begin() const { return writes_.data(); }
  const Slot* end() const { return writes_.data() + count_; }

 private:
  std::array<Slot, chunk / 4 + chunk> writes_{};
  unsigned count_ = 0;
};

void BulkCopyCheck::find_writers(Writers& writers, const Region& region, std::uint64_t address,
                                 unsigned bytes, bool in_shared) {
  for (unsigned word = 0; word < bytes / 4; ++word) {
    const Slot& whole = region.writes(address)[word].plain;
    writers.add(whole);
    if (!region.has_narrow) continue;
    for (unsigned byte = 0; byte < 4; ++byte) {
      const Slot write = races_.narrow_write(address + 4 * word + byte, in_shared);
      if (write.number() > whole.number()) writers.add(write);
    }
  }
}

// Returns whether a missing fence was reported.
bool BulkCopyCheck::check_chunk(const Request& access, CodeSite& site, const BulkCopy& copy,
                                bool is_shared, bool is_told) {
  const unsigned thread = running_.thread_of(access.lane[0]);
  const std::uint64_t address = access.address[0];
  const unsigned bytes = Access::bytes_of(access.what);
  const auto has_all = [&](const Region* region) {
    return region != nullptr && region->contains(address, bytes);
  };
  Writers before;
  const Region* const known = site.extent().region;
  const Region* const region = has_all(known) ? known
                               : is_shared    ? shared_.region_at(address)
                                              : nullptr;
  if (has_all(region)) {
    find_writers(before, *region, address, bytes, is_shared || copy.is_from_shared);
  }
  const std::uint64_t found = findings_.count();
  memory_.check(access, site);
  bool tells = false;
  if (found == findings_.count() && !is_told && !copy.is_store) {
    const Slot* const write = std::find_if(before.begin(), before.end(), [&](const Slot& one) {
      return fences_.is_missing(one, thread);
    });
    tells = write != before.end();
    if (tells) {
      const bool writes = copy.is_in == is_shared;
      fences_.report_missing(*write, access.pc, thread,
                             std::string(copy.is_operand ? "wgmma " : "a bulk copy ") +
                                 (writes ? "overwrites" : "reads") +
                                 (is_shared ? " shared" : " global") +
                                 " memory that threads have written, with no fence for the "
                                 "asynchronous proxy after the write");
    }
  }
  if (has_all(site.extent().region)) mark_unfinished(access, site, copy, is_shared);
  return tells;
}

// It goes on from now on.
void BulkCopyCheck::mark_unfinished(const Request& access, const CodeSite& site,
                                    const BulkCopy& copy, bool is_shared) {
  const Region& region = *site.extent().region;
  const std::uint64_t address = access.address[0];
  const bool writes = copy.is_in == is_shared;
  for (unsigned word = 0; word < Access::bytes_of(access.what) / 4; ++word) {
    if (writes) {
      WriteCell& cell = region.writes(address)[word];
      Slot& slot = copy.operation == AsyncOperation::store ? cell.plain : cell.atomic;
      if (!slot.is_unfinished() && site.has_made(slot)) slot.segment |= Slot::unfinished;
    } else if (is_shared) {
      // Several warps may multiply the same tile at the same time: two of them are remembered.
      ReadCell& cell = region.reads(address)[word];
      const bool is_taken = cell.first.is_unfinished() && cell.first.number() >= shared_.since() &&
                            order_.warp_of(cell.first) != running_.warp();
      Slot& slot = is_taken ? cell.last : cell.first;
      const Slot now = site.access(order_.current_segment() | Slot::unfinished, access.lane[0]);
      slot.segment = now.segment;
      slot.site = now.site;
      slot.lane = now.lane;
    }
  }
}

// ---------------------------------------------------------------- the ends of copies

void BulkCopyCheck::arrive(std::uint64_t shared, std::size_t bytes, const Slot& by) {
  Region* const region = shared_.region_at(shared);
  if (region == nullptr) return;
  for (std::uint64_t address = word_at(shared); address < word_at(shared + bytes); address += 4) {
    if (!region->contains(address, 4)) continue;
    WriteCell& cell = *region->writes(address);
    for (Slot* const slot : {&cell.plain, &cell.atomic}) {
      if (!slot->is_unfinished()) continue;  // somebody else has written, and was reported
      slot->segment = by.segment;
      slot->lane = by.lane;
    }
  }
}

// From now on that is what the thread that started it has done.
void BulkCopyCheck::end_copy_out(std::uint64_t number, bool has_written) {
  const BulkCopy& copy = bulk_copy(number);
  Region* const region = has_written ? region_of(copy.to) : shared_.region_at(copy.from);
  if (region == nullptr) return;
  const std::uint32_t segment = order_.current_segment();
  copy.for_each_piece([&](const TilePiece& piece) {
    const std::uint64_t begin = has_written ? piece.global : word_at(piece.shared);
    const std::uint64_t end =
        has_written ? piece.global + piece.bytes : word_at(piece.shared + piece.bytes);
    for (std::uint64_t address = begin; begin != 0 && address + 4 <= end; address += 4) {
      if (!region->contains(address, 4)) continue;
      if (has_written) {
        Slot& slot = region->writes(address)->plain;
        if (slot.is_unfinished()) slot.segment = segment;
        continue;
      }
      for (Slot* const slot : {&region->reads(address)->first, &region->reads(address)->last}) {
        if (slot->is_unfinished() && slot->number() >= shared_.since() &&
            order_.warp_of(*slot) == running_.warp()) {
          slot->segment = segment;
        }
      }
    }
  });
}

}  // namespace emulator::checks
