/// \file
/// Barriers in shared memory, the block's numbered barriers, and bulk copies. From its start until
/// its phase is complete a bulk copy may read and write at any time: what it writes is marked, and
/// whoever comes by makes a finding.

#include <algorithm>
#include <string>
#include <utility>

#include "events/async_events.hpp"
#include "events/bulk_copies.hpp"
#include "observers/checks/checker.hpp"
#include "observers/checks/checker_reports.hpp"

namespace emulator::checks {
namespace {

constexpr std::uint64_t phase_bits = 7;  // an mbarrier's address is a multiple of 8
constexpr unsigned chunk = 16;           // bytes of a bulk copy that are checked at once

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

// To arrive at a barrier changes it: as an access of that lane alone.
Request use_of_barrier(const Request& event, unsigned i) {
  Request use;
  use.pc = event.pc;
  use.what = what_of(AccessKind::shared_atomic, 8);
  use.active = 1;
  use.lane[0] = event.lane[i];
  use.address[0] = event.address[i] & ~phase_bits;
  return use;
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

// Who has written is known of words, but a tensor may end within one: the piece has it that has its
// last byte. (In shared memory a row of a box ends with a word.)
std::uint64_t word_at(std::uint64_t shared) {
  return shared & ~std::uint64_t{3};
}

}  // namespace

// Made when a block first needs them: what its warps have learnt from __syncwarp() is brought over.
BlockClocks& Checker::clocks() {
  if (clocks_ != nullptr) return *clocks_;
  const auto warps = static_cast<unsigned>(warps_.size());
  clocks_ = std::make_unique<BlockClocks>(warps * warp_size);
  for (std::uint32_t i = 0; i < segments_.size(); ++i) {
    const Segment& segment = segments_[i];
    const WarpState& warp = warps_[segment.warp];
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      for (unsigned other = 0; other < warp_size; ++other) {
        const std::uint32_t known =
            warp.known != nullptr ? (*warp.known)[lane][other] : warp.synchronised;
        if (segment.time >= known) continue;
        clocks_->learn(segment.warp * warp_size + lane, segment.warp * warp_size + other,
                       block_first_ + i);
      }
    }
  }
  return *clocks_;
}

bool Checker::is_copier(const Slot& slot) const {
  return !slot.is_unfinished() && slot.segment >= block_first_ &&
         segments_[slot.segment - block_first_].warp >= warps_.size();
}

void Checker::check_event(const Request& request) {
  const auto event = static_cast<AsyncEvent>(Access::bytes_of(request.what));
  const SiteState& site = site_of(request);
  BlockClocks& clocks = this->clocks();
  for (unsigned i = 0; i < request.active; ++i) {
    const unsigned thread = warp_ * warp_size + request.lane[i];
    const std::uint64_t address = request.address[i];
    switch (event) {
      case AsyncEvent::makes_barrier:
      case AsyncEvent::makes_fenced_barrier: {
        MadeBarrier& made = made_[address];
        made = {};
        made.by.segment = current_segment();
        made.by.site = site.number & 0xFFFFFFU;
        made.by.lane = request.lane[i] & 31U;
        made.is_fenced = event == AsyncEvent::makes_fenced_barrier;
        made.cluster_phase = cluster_phase_;
        clocks.forget(address);
        break;
      }
      case AsyncEvent::arrives:
      case AsyncEvent::uses_barrier:
        if (address >= barrier_places::first_address) {
          check_made(address & ~phase_bits, thread, request.pc);
          if (is_of_cluster()) check_other_blocks(use_of_barrier(request, i), site);
        }
        if (event == AsyncEvent::arrives) {
          clocks.arrive(address & ~phase_bits, address & phase_bits, thread, next_segment_ - 1);
        }
        break;
      case AsyncEvent::fences:
        clocks.fence(thread, next_segment_ - 1, barrier_first_);
        break;
      case AsyncEvent::fences_barriers:
        clocks.fence_barriers(thread, next_segment_ - 1);
        break;
      case AsyncEvent::copy_has_read:
      case AsyncEvent::copy_has_written:
        end_copy_out(address, event == AsyncEvent::copy_has_written);
        break;
      case AsyncEvent::stores:
        check_made(bulk_copy(address).barrier, thread, request.pc);
        check_bulk_side(request, i, bulk_copy(address), true);
        break;
      case AsyncEvent::reads_operands:
        check_bulk_side(request, i, bulk_copy(address), true);
        break;
    }
  }
  warps_[warp_].segment = 0;  // what comes after it is not covered by it
}

// Whoever uses an mbarrier must come after its initialisation.
void Checker::check_made(std::uint64_t barrier, unsigned thread, std::uint64_t pc) {
  const auto found = made_.find(barrier);
  if (found == made_.end() || found->second.is_told) return;
  const Slot& by = found->second.by;
  Slot now;
  now.segment = next_segment_;
  now.lane = thread % warp_size & 31U;
  if (is_old(by, true) || is_same_thread(by, now) || ordered(by, now)) return;
  if (passed_by_cluster(found->second.cluster_phase, by)) return;
  found->second.is_told = true;
  Finding finding;
  finding.kind = "race";
  finding.what = std::string("a thread uses an mbarrier that another thread of its ") +
                 (is_of_cluster() ? "cluster" : "block") +
                 " initialises, and nothing orders the two";
  finding.remedy =
      is_of_cluster() ? "put a barrier behind the initialisation of the barriers: __syncthreads(), "
                        "or that of the cluster if its other blocks use them, too"
                      : "put __syncthreads() behind the initialisation of the barriers";
  finding.place.event = "used by ";
  finding.others.push_back(
      place_at(sites_pc(by.site), "initialised by " + earlier_thread_text(by)));
  report(std::move(finding), pc, thread);
}

void Checker::phase_seen(unsigned thread, std::uint64_t place, std::uint64_t phase,
                         std::uint64_t pc) {
  warp_ = thread / warp_size;
  check_made(place, thread, pc);
  clocks().see(place, phase, thread);
}

void Checker::copy_arrived(std::uint64_t shared, std::size_t bytes, unsigned barrier_number,
                           std::uint64_t place, std::uint64_t phase) {
  const unsigned copier = clocks().copier_of(barrier_number);
  if (last_copier_segment_ != next_segment_ - 1 || last_copier_ != copier) {
    last_copier_segment_ = next_segment_++;
    last_copier_ = copier;
    segments_.push_back({copier / warp_size, 0});
    clocks().end_copy(place, phase, copier, last_copier_segment_);
  }
  Region* const region = shared_region(shared);
  for (std::uint64_t address = word_at(shared); address < word_at(shared + bytes); address += 4) {
    if (region == nullptr || !region->contains(address, 4)) continue;
    WriteCell& cell = *region->writes(address);
    for (Slot* const slot : {&cell.plain, &cell.atomic}) {
      if (!slot->is_unfinished()) continue;  // somebody else has written, and was reported
      slot->segment = last_copier_segment_;
      slot->lane = copier % warp_size & 31U;
    }
  }
}

// ---------------------------------------------------------------- bulk copies

// The warp that an access of this block is of. Of one before a barrier of the grid that is not
// known any more: it counts as the running warp's.
unsigned Checker::warp_of(const Slot& slot) const {
  if (slot.number() < block_first_) return warp_;
  return segments_[slot.number() - block_first_].warp;
}

// What a thread has written is unknown to the asynchronous proxy until one of those on the way from
// the write to the copy has executed a fence.
bool Checker::is_unfenced(const Slot& write, unsigned starter) const {
  if (write.segment < block_first_ || write.is_unfinished() || is_copier(write)) return false;
  const unsigned writer = segments_[write.segment - block_first_].warp * warp_size + write.lane;
  return !clocks_->is_fenced(writer, write.segment, starter, false);
}

void Checker::check_bulk(const Request& request) {
  for (unsigned i = 0; i < request.active; ++i) {
    const BulkCopy& copy = bulk_copy(request.address[i]);
    const unsigned thread = warp_ * warp_size + request.lane[i];
    clocks();
    if (std::any_of(request.address.begin(), request.address.begin() + i, [&](std::uint64_t other) {
          return is_same_copy_out(bulk_copy(other), copy);
        })) {
      continue;
    }
    if (copy.is_in) {
      check_made(copy.barrier, thread, request.pc);
      const auto made = made_.find(copy.barrier);
      if (made != made_.end() && !made->second.is_told && !made->second.is_fenced &&
          made->second.by.segment >= block_first_) {
        const Slot& by = made->second.by;
        const unsigned maker = segments_[by.segment - block_first_].warp * warp_size + by.lane;
        if (!clocks_->is_fenced(maker, by.segment, thread, true)) {
          made->second.is_told = true;
          report_unfenced(
              by, request.pc, thread,
              "a bulk copy uses an mbarrier that was initialised without a fence behind "
              "it");
        }
      }
    }
    check_bulk_side(request, i, copy, false);
    check_bulk_side(request, i, copy, true);
  }
}

// What a bulk copy does to one of the two memories is what loads or stores of the thread would do
// that starts it, but that they are not done yet.
void Checker::check_bulk_side(const Request& request, unsigned i, const BulkCopy& copy,
                              bool is_shared) {
  const bool writes = copy.is_in == is_shared;
  const bool in_shared = is_shared || copy.is_from_shared;
  const bool reduces = copy.operation != AsyncOperation::store;
  const AccessKind kind = reduces ? AccessKind::shared_atomic
                          : in_shared
                              ? (writes ? AccessKind::shared_store : AccessKind::shared_load)
                              : (writes ? AccessKind::global_store : AccessKind::global_load);
  Request access;
  access.pc = request.pc;
  access.what = what_of(kind, chunk);
  access.active = 1;
  access.lane[0] = request.lane[i];
  access.stored[0] = ~std::uint64_t{0};
  SiteState& site = site_of(access);
  site.region = nullptr;  // not that of the copy's other side
  site.copies_in_bulk = true;
  site.copies_out = !copy.is_in;
  site.multiplies = copy.is_operand;
  site.stores = copy.is_store;

  bool is_told = false;
  copy.for_each_piece([&](const TilePiece& piece) {
    const std::uint64_t begin = is_shared ? word_at(piece.shared) : piece.global;
    if (begin == 0) return;  // outside of a tensor
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

// Who has written that byte, and not its word.
Slot Checker::narrow_write(std::uint64_t address, bool is_shared) {
  const NarrowCells& cells = narrow_cells(is_shared);
  const auto found = cells.find(address);
  return found == cells.end() ? Slot{} : found->second.write.plain;
}

// The same for some bytes of it, 16 at most. Returns whether a missing fence was told.
bool Checker::check_chunk(const Request& access, SiteState& site, const BulkCopy& copy,
                          bool is_shared, bool is_told) {
  const unsigned thread = warp_ * warp_size + access.lane[0];
  const bool writes = copy.is_in == is_shared;
  const std::uint64_t address = access.address[0];
  const unsigned bytes = Access::bytes_of(access.what);
  // Who wrote each word, and its bytes since then.
  std::array<Slot, chunk / 4 + chunk> before{};
  unsigned count = 0;
  const bool is_known = site.region != nullptr && site.region->contains(address, bytes);
  const Region* region = is_known ? site.region : is_shared ? shared_region(address) : nullptr;
  if (region != nullptr && region->contains(address, bytes)) {
    for (unsigned word = 0; word < bytes / 4; ++word) {
      const Slot& whole = region->writes(address)[word].plain;
      before[count++] = whole;
      if (!region->has_narrow) continue;
      for (unsigned byte = 0; byte < 4; ++byte) {
        const Slot write =
            narrow_write(address + 4 * word + byte, is_shared || copy.is_from_shared);
        if (write.number() > whole.number()) before[count++] = write;
      }
    }
  }
  const std::uint64_t found = found_;
  check(access);
  bool tells = false;
  if (found == found_ && !is_told && !copy.is_store) {
    for (const Slot& write : before) {
      if (!is_unfenced(write, thread)) continue;
      tells = true;
      report_unfenced(write, access.pc, thread,
                      std::string(copy.is_operand ? "wgmma " : "a bulk copy ") +
                          (writes ? "overwrites" : "reads") + (is_shared ? " shared" : " global") +
                          " memory that threads have written without a fence for the "
                          "asynchronous proxy behind it");
      break;
    }
  }
  if (site.region == nullptr || !site.region->contains(address, bytes)) return tells;
  for (unsigned word = 0; word < bytes / 4; ++word) {
    if (writes) {
      WriteCell& cell = site.region->writes(address)[word];
      Slot& slot = copy.operation == AsyncOperation::store ? cell.plain : cell.atomic;
      if (!slot.is_unfinished() && slot.site == site.number) slot.segment |= Slot::unfinished;
    } else if (is_shared) {
      // Several warps may multiply the same tile at the same time: two of them are remembered.
      ReadCell& cell = site.region->reads(address)[word];
      const bool is_taken = cell.first.is_unfinished() && cell.first.number() >= shared_since_ &&
                            warp_of(cell.first) != warp_;
      Slot& slot = is_taken ? cell.last : cell.first;
      slot.segment = current_segment() | Slot::unfinished;
      slot.site = site.number & 0xFFFFFFU;
      slot.lane = access.lane[0] & 31U;
    }
  }
  return tells;
}

// A copy out has read its source, or written its target: from now on that is what the thread that
// started it has done.
void Checker::end_copy_out(std::uint64_t number, bool has_written) {
  const BulkCopy& copy = bulk_copy(number);
  Region* const region = has_written ? region_of(copy.to) : shared_region(copy.from);
  if (region == nullptr) return;
  const std::uint32_t segment = current_segment();
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
        if (slot->is_unfinished() && slot->number() >= shared_since_ && warp_of(*slot) == warp_) {
          slot->segment = segment;
        }
      }
    }
  });
}

}  // namespace emulator::checks
