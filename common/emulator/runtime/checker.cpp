#include "checker.hpp"

#include <algorithm>
#include <bit>

#include "arena.hpp"
#include "device_variables.hpp"

namespace emulator::detail {

namespace {

bool is_shared_kind(AccessKind kind) {
  return kind >= AccessKind::shared_load && kind <= AccessKind::shared_atomic;
}

// Whether a variable is none of the device's. (Those of templates may be, unknown to us.)
bool is_host_variable(const Variable& variable) {
  return !variable.weak && find_device_variable(variable.begin) == nullptr;
}

}  // namespace

void Checker::begin_launch(const CheckedLaunch& launch) {
  launch_ = launch;
  forget_freed_regions();
  if (shared_ == nullptr) {
    shared_ = std::make_unique<Region>(launch.shared, launch.shared_bytes, /*written=*/true, 0);
  }
  for (const auto& site : sites_) site->region = nullptr;
  launch_first_ = block_first_ = barrier_first_ = next_segment_;
  block_firsts_.clear();
  released_.clear();
  narrow_.clear();
  log_.clear();
  variables_region().has_narrow = false;
}

void Checker::begin_block(const dim3& block) {
  if (block_released_) released_.emplace(block_first_, std::move(segments_));
  segments_.clear();
  block_ = block;
  block_released_ = false;
  block_first_ = barrier_first_ = next_segment_;
  block_firsts_.push_back(block_first_);
  const unsigned threads = launch_.block.x * launch_.block.y * launch_.block.z;
  warps_.clear();
  warps_.resize((threads + warp_size - 1) / warp_size);
  fences_.assign(threads, Fence{});
  log_.next_block();
  if (shared_->has_narrow) {
    std::erase_if(narrow_, [&](const auto& entry) { return shared_->contains(entry.first, 1); });
    shared_->has_narrow = false;
  }
}

void Checker::block_synchronised() {
  barrier_first_ = next_segment_;
  for (WarpState& warp : warps_) warp.segment = 0;
}

void Checker::warp_synchronised(unsigned number, std::uint32_t lanes, bool all) {
  WarpState& warp = warps_[number];
  warp.segment = 0;
  ++warp.time;
  if (all) {
    warp.synchronised = warp.time;
    warp.known.reset();
    return;
  }
  if (warp.known == nullptr) {
    warp.known = std::make_unique<Known>();
    for (auto& row : *warp.known) row.fill(warp.synchronised);
  }
  // Each of the lanes learns what any of them knew, and all that they have done.
  std::array<std::uint32_t, warp_size> together{};
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto& row = (*warp.known)[static_cast<unsigned>(std::countr_zero(rest))];
    for (unsigned i = 0; i < warp_size; ++i) together[i] = std::max(together[i], row[i]);
  }
  for (unsigned i = 0; i < warp_size; ++i) {
    if ((lanes >> i & 1U) != 0) together[i] = warp.time;
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    (*warp.known)[static_cast<unsigned>(std::countr_zero(rest))] = together;
  }
}

std::uint32_t Checker::current_segment() {
  WarpState& warp = warps_[warp_];
  if (warp.segment == 0) {
    warp.segment = next_segment_++;
    segments_.push_back({warp_, warp.time});
  }
  return warp.segment;
}

Checker::SiteState& Checker::site_of(const Request& request) {
  if (last_site_ != nullptr && last_site_->follower->pc == request.pc) {
    last_site_ = last_site_->follower;
    return *last_site_;
  }
  const auto [entry, is_new] =
      site_numbers_.emplace(request.pc, static_cast<std::uint32_t>(sites_.size()));
  if (is_new) {
    sites_.push_back(std::make_unique<SiteState>());
    sites_.back()->pc = request.pc;
    sites_.back()->number = entry->second;
  }
  SiteState* const site = sites_[entry->second].get();
  if (last_site_ != nullptr) last_site_->follower = site;
  last_site_ = site;
  return *site;
}

void Checker::check(const Request& request) {
  switch (Access::kind_of(request.what)) {
    case AccessKind::code_block:
    case AccessKind::barrier:
      return;
    case AccessKind::fence:
      note_fence(request);
      return;
    case AccessKind::constant_load: {
      SiteState& site = site_of(request);
      for (unsigned i = 0; i < request.active; ++i) within_bounds(request, site, i);
      return;
    }
    case AccessKind::foreign_load:
    case AccessKind::foreign_store:
      for (unsigned i = 0; i < request.active; ++i) report_outside(request, i);
      return;
    default:
      check_memory(request, site_of(request));
  }
}

// ---------------------------------------------------------------- bounds

void Checker::check_memory(const Request& request, SiteState& site) {
  const unsigned bytes = Access::bytes_of(request.what);
  std::uint64_t lowest = request.address[0];
  std::uint64_t highest = lowest;
  std::uint64_t bits = lowest;
  for (unsigned i = 1; i < request.active; ++i) {
    lowest = std::min(lowest, request.address[i]);
    highest = std::max(highest, request.address[i]);
    bits |= request.address[i];
  }
  const unsigned flags = Access::flags_of(request.what);
  const AccessKind kind = Access::kind_of(request.what);
  const bool is_atomic = kind == AccessKind::global_atomic || kind == AccessKind::shared_atomic ||
                         (flags & access_flags::is_atomic) != 0;
  Slot slot;
  slot.segment = current_segment();
  slot.site = site.number & 0xFFFFFFU;
  slot.is_atomic = is_atomic ? 1 : 0;
  slot.is_volatile = (flags & access_flags::is_volatile) != 0 ? 1 : 0;
  if (slot.is_atomic != 0 || slot.is_volatile != 0) note_strong(request);

  const bool inside = site.region != nullptr && lowest >= site.begin && highest + bytes <= site.end;
  const bool is_simple = inside && !is_atomic && bytes >= 4 && (bits & (bytes - 1)) == 0 &&
                         !site.region->has_narrow && site.region->begin() % 16 == 0;
  const bool is_load = kind == AccessKind::global_load || kind == AccessKind::shared_load;
  const bool is_shared = is_shared_kind(kind);
  for (unsigned i = 0; i < request.active; ++i) {
    slot.lane = request.lane[i] & 31U;
    if (is_simple &&
        (is_load ? passes_load(*site.region, request.address[i], bytes, slot, is_shared)
                 : passes_store(*site.region, request.address[i], bytes, slot, is_shared))) {
      continue;
    }
    if (!inside && !within_bounds(request, site, i)) continue;
    check_lane(request, site, i, slot);
  }
}

// The common cases, which need to be fast: whatever was done to the words before is long past, or
// was done by the same thread. False if it takes a closer look.

namespace {

// Whether an earlier access cannot matter: it is older than `limit`, or the thread's own just now.
inline bool is_past(const Slot& earlier, const Slot& now, std::uint32_t limit) {
  return earlier.segment < limit || (earlier.segment == now.segment && earlier.lane == now.lane);
}

}  // namespace

inline bool Checker::passes_load(const Region& region, std::uint64_t address, unsigned bytes,
                                 const Slot& now, bool is_shared) const {
  if (!is_shared && !region.is_written() && !region.is_written(address, bytes)) return false;
  const std::uint32_t limit = is_shared ? barrier_first_ : launch_first_;
  const WriteCell* write = region.writes(address);
  ReadCell* read = region.reads(address);
  for (unsigned word = 0; word < bytes / 4; ++word, ++write, ++read) {
    if (!is_past(write->plain, now, limit) || !is_past(write->atomic, now, limit)) return false;
    if (is_shared && !is_written(*write)) return false;
    if (is_past(read->first, now, limit)) {
      read->first = now;
    } else if (is_past(read->last, now, limit) || read->first.segment != now.segment ||
               read->last.segment == now.segment) {
      read->last = now;
    }
  }
  return true;
}

inline bool Checker::passes_store(Region& region, std::uint64_t address, unsigned bytes,
                                  const Slot& now, bool is_shared) {
  const std::uint32_t limit = is_shared ? barrier_first_ : launch_first_;
  WriteCell* const writes = region.writes(address);
  const ReadCell* const reads = region.reads(address);
  const unsigned words = bytes / 4;
  for (unsigned word = 0; word < words; ++word) {
    if (!is_past(writes[word].plain, now, limit) || !is_past(writes[word].atomic, now, limit) ||
        !is_past(reads[word].first, now, limit) || !is_past(reads[word].last, now, limit)) {
      return false;
    }
  }
  for (unsigned word = 0; word < words; ++word) writes[word].plain = now;
  if (!is_shared) region.mark_written(address, bytes);
  return true;
}

// Whether a lane's bytes lie in one allocation or variable, which becomes the site's.
bool Checker::within_bounds(const Request& request, SiteState& site, unsigned i) {
  const unsigned bytes = Access::bytes_of(request.what);
  const std::uint64_t address = request.address[i];
  const auto fits = [&] {
    return site.region != nullptr && address >= site.begin && address + bytes <= site.end;
  };
  if (fits()) return true;
  const SiteState before = site;
  if (find_bounds(site, address, Access::kind_of(request.what)) && fits()) {
    return true;
  }
  site.region = before.region;  // what the code was meant for, most likely
  site.begin = before.begin;
  site.end = before.end;
  report_bounds(request, site, i);
  return false;
}

bool Checker::find_bounds(SiteState& site, std::uint64_t address, AccessKind kind) {
  const bool is_shared = is_shared_kind(kind);
  const bool is_constant = kind == AccessKind::constant_load;
  site.region = nullptr;
  if (is_shared) {
    site.region = shared_.get();
    if (address - launch_.dynamic < launch_.dynamic_limit) {
      site.begin = launch_.dynamic;
      site.end = launch_.dynamic + launch_.dynamic_bytes;
      return true;
    }
    if (const auto variable = find_shared_variable(address - launch_.shared)) {
      site.begin = launch_.shared + variable->begin;
      site.end = site.begin + variable->bytes;
      return true;
    }
    // Without a symbol table nothing is known of the single variables.
    site.begin = launch_.shared;
    site.end = has_variables() ? site.begin : launch_.shared + launch_.shared_bytes;
    return !has_variables();
  }
  if (address - arena_base < arena_size) {
    site.region = region_of(address);
    if (site.region == nullptr) return false;
    site.begin = site.region->begin();
    site.end = site.begin + site.region->bytes();
    return true;
  }
  site.region = &variables_region();
  const auto variable = find_data_variable(address);
  if (variable && (is_constant || !is_host_variable(*variable))) {
    site.begin = variable->begin;
    site.end = variable->begin + variable->bytes;
    return true;
  }
  site.begin = site.region->begin();
  site.end = has_variables() ? site.begin : site.begin + site.region->bytes();
  return !has_variables();
}

// ---------------------------------------------------------------- what has been written, and races

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
  return log_.ordered(block, segment->warp * warp_size + earlier.lane, earlier.segment,
                      warp_ * warp_size + now.lane, barrier_first_);
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
  touch.request = &request;
  touch.kind = kind;
  touch.is_shared = is_shared_kind(kind);
  touch.reads = kind != AccessKind::global_store && kind != AccessKind::shared_store;
  touch.writes = kind != AccessKind::global_load && kind != AccessKind::shared_load;
  touch.is_piece = (Access::flags_of(request.what) & access_flags::is_piece) != 0;

  if (touch.bytes < 4 || (touch.address - region.begin()) % 4 != 0) {
    check_bytes(touch, region);
    return;
  }
  const unsigned words = touch.bytes / 4;
  WriteCell* const writes = region.writes(touch.address);
  ReadCell* const reads = region.reads(touch.address);
  if (touch.reads) check_written(touch, region, writes, words);
  for (unsigned word = 0; word < words; ++word) {
    check_cells(touch, writes[word], reads[word]);
    if (region.has_narrow) check_narrow_cells(touch, touch.address + 4 * word, 4);
  }
  if (touch.writes && !touch.is_shared) region.mark_written(touch.address, touch.bytes);
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
    if (is_written(writes[word])) continue;
    bool narrow = false;
    if (region.has_narrow) {
      for (unsigned byte = 0; byte < 4; ++byte) {
        const auto found = narrow_.find(touch.address + 4 * word + byte);
        narrow = narrow || (found != narrow_.end() && is_written(found->second.write));
      }
    }
    if (!narrow) ++missing;
  }
  if (missing == words || (missing > 0 && !touch.is_piece)) report_unwritten(touch);
}

// Whether two lanes have stored the same value in one step.
bool Checker::same_value(const Touch& touch, const Slot& earlier) const {
  const Slot& now = touch.slot;
  if (touch.reads || earlier.segment != now.segment || earlier.site != now.site) return false;
  const Request& request = *touch.request;
  const std::uint64_t* mine = nullptr;
  const std::uint64_t* other = nullptr;
  for (unsigned i = 0; i < request.active; ++i) {
    if (request.lane[i] == now.lane) mine = &request.stored[i];
    if (request.lane[i] == earlier.lane) other = &request.stored[i];
  }
  return mine != nullptr && other != nullptr && *mine == *other;
}

// At most one finding an access: the most telling first.
bool Checker::check_writes(const Touch& touch, const WriteCell& write) {
  if (races(write.plain, touch)) {
    report_race(touch, write.plain, true, touch.writes && same_value(touch, write.plain));
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

void Checker::check_cells(const Touch& touch, WriteCell& write, ReadCell& read) {
  const Slot& now = touch.slot;
  const bool found = check_writes(touch, write);
  if (touch.writes) {
    if (!found) check_reads(touch, read);
    (touch.slot.is_atomic != 0 ? write.atomic : write.plain) = now;
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
  if (earlier.lane != now.lane) return false;
  if (earlier.segment == now.segment) return true;
  return earlier.segment >= block_first_ && segments_[earlier.segment - block_first_].warp == warp_;
}

// Parts of words are remembered byte by byte, so that neighbours may use the bytes of one word.
void Checker::check_bytes(const Touch& touch, Region& region) {
  region.has_narrow = true;
  WriteCell* const writes = region.writes(touch.address & ~std::uint64_t{3});
  if (touch.reads) {
    if (touch.is_shared) {
      unsigned missing = 0;
      for (unsigned byte = 0; byte < touch.bytes; ++byte) {
        const auto found = narrow_.find(touch.address + byte);
        const bool here = found != narrow_.end() && is_written(found->second.write);
        const std::uint64_t word = (touch.address + byte - region.begin()) / 4 -
                                   ((touch.address & ~std::uint64_t{3}) - region.begin()) / 4;
        if (!here && !is_written(writes[word])) ++missing;
      }
      if (missing == touch.bytes) report_unwritten(touch);
    } else if (region.unwritten(touch.address, touch.bytes) == touch.bytes) {
      report_unwritten(touch);
    }
  }
  for (unsigned byte = 0; byte < touch.bytes; ++byte) {
    const std::uint64_t address = touch.address + byte;
    NarrowCell& cell = narrow_[address];
    check_cells(touch, cell.write, cell.read);
    // Whole words have cells of their own.
    if (check_writes(touch, *region.writes(address))) continue;
    if (touch.writes) check_reads(touch, *region.reads(address));
  }
  if (touch.writes && !touch.is_shared) region.mark_written(touch.address, touch.bytes);
}

void Checker::check_narrow_cells(const Touch& touch, std::uint64_t address, unsigned bytes) {
  for (unsigned byte = 0; byte < bytes; ++byte) {
    const auto found = narrow_.find(address + byte);
    if (found == narrow_.end()) continue;
    const NarrowCell& cell = found->second;
    if (!check_writes(touch, cell.write) && touch.writes) check_reads(touch, cell.read);
  }
}

// ---------------------------------------------------------------- fences and what they publish

void Checker::note_fence(const Request& request) {
  const std::uint32_t last = next_segment_ - 1;
  for (unsigned i = 0; i < request.active; ++i) {
    fences_[warp_ * warp_size + request.lane[i]] = {last, barrier_first_};
  }
  warps_[warp_].segment = 0;  // what comes after the fence is not covered by it
}

void Checker::note_strong(const Request& request) {
  const AccessKind kind = Access::kind_of(request.what);
  const unsigned flags = Access::flags_of(request.what);
  const bool loads = kind != AccessKind::global_store && kind != AccessKind::shared_store;
  const bool stores = kind != AccessKind::global_load && kind != AccessKind::shared_load;
  if (stores && (flags & access_flags::is_ordered) != 0) note_fence(request);
  const std::uint32_t segment = current_segment();
  for (unsigned i = 0; i < request.active; ++i) {
    const unsigned thread = warp_ * warp_size + request.lane[i];
    if (loads && log_.has_releases()) log_.acquire(request.address[i], thread, segment);
    if (stores && fences_[thread].own != 0) {
      log_.release(request.address[i], block_first_, thread, fences_[thread]);
      block_released_ = true;
    }
  }
}

}  // namespace emulator::detail
