#include "observers/checks/checker.hpp"

#include <algorithm>
#include <bit>

#include "base/arena.hpp"
#include "base/device_variables.hpp"

namespace emulator::checks {

namespace {

// Whether a variable is none of the device's. (Those of templates may be, unknown to us.)
bool is_host_variable(const Variable& variable) {
  return !variable.weak && find_device_variable(variable.begin) == nullptr;
}

}  // namespace

void Checker::begin_launch(const ObservedLaunch& launch) {
  launch_ = launch;
  next_segment_ = next_segment_of_all_;
  forget_freed_regions();
  if (!turns_.empty()) shared_ = nullptr;  // of the last block of a cooperative launch
  turns_.clear();
  parked_.clear();
  cluster_.clear();
  cluster_regions_.clear();
  if (shared_ == nullptr) {
    shared_ = std::make_unique<Region>(launch.shared, launch.shared_bytes, /*written=*/true, 0);
  }
  for (const auto& site : sites_) {
    site->region = nullptr;
    site->races = site->is_known = false;
  }
  unwritten_.clear();
  launch_first_ = block_first_ = barrier_first_ = next_segment_;
  block_firsts_.clear();
  released_.clear();
  repeats_.clear();
  block_released_ = false;
  narrow_.clear();
  log_.clear();
  variables_region().has_narrow = false;
}

void Checker::begin_block(const dim3& block) {
  start_block(block);
  shared_since_ = block_first_;
  shared_narrow_.clear();
  shared_->has_narrow = false;
}

// After a barrier of the grid a block is, for the checks, another block with the same memory.
void Checker::begin_turn(const dim3& block, std::uint64_t number, std::uintptr_t shared,
                         std::uintptr_t dynamic) {
  if (turns_.empty()) {
    shared_since_ = next_segment_;
  } else {
    Parked& last = parked_[turns_.back()];
    last.shared = std::move(shared_);
    last.narrow = std::move(shared_narrow_);
  }
  Parked& next = parked_[number];
  shared_ = std::move(next.shared);
  shared_narrow_ = std::move(next.narrow);
  launch_.shared = shared;
  launch_.dynamic = dynamic;
  if (shared_ == nullptr) {
    shared_ = std::make_unique<Region>(shared, launch_.shared_bytes, /*written=*/true, 0);
    shared_narrow_.clear();
  }
  start_block(block);
  turns_.push_back(number);
}

void Checker::start_block(const dim3& block, unsigned blocks) {
  log_.end_block(block_first_, block_released_);
  if (block_released_) released_.emplace(block_first_, std::move(segments_));
  segments_.clear();
  block_ = block;
  block_released_ = false;
  block_first_ = barrier_first_ = next_segment_;
  block_firsts_.push_back(block_first_);
  const unsigned threads = threads_of_block() * blocks;
  warps_.clear();
  warps_.resize(threads / warp_size);
  clocks_ = nullptr;
  made_.clear();
  last_copier_segment_ = 0;
  fences_.assign(threads, Fence{});
  has_new_fences_ = false;
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
    case AccessKind::foreign_store: {
      if (request.address[0] - arena_base < arena_size) return check_uncounted_store(request);
      const SiteState& site = site_of(request);
      for (unsigned i = 0; i < request.active; ++i) report_outside(request, site, i);
      return;
    }
    case AccessKind::copy_begins:
    case AccessKind::copy_ends:
      check_copy(request);
      return;
    case AccessKind::bulk_copy:
      check_bulk(request);
      return;
    case AccessKind::async_event:
      check_event(request);
      return;
    default:
      check_memory(request, site_of(request));
  }
}

void Checker::check_uncounted_store(const Request& request) {
  Request store = request;
  store.what = Access::with_kind(request.what, AccessKind::global_store);
  check(store);
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
  const bool is_atomic = (flags & access_flags::is_atomic) != 0;
  Slot slot;
  slot.segment = current_segment();
  slot.site = site.number & 0xFFFFFFU;
  slot.is_atomic = is_atomic ? 1 : 0;
  slot.is_volatile = (flags & access_flags::is_volatile) != 0 ? 1 : 0;
  if (slot.is_atomic != 0 || slot.is_volatile != 0) note_strong(request);

  if (!site.is_known) {
    site.is_known = true;
    site.first = {};
    for (unsigned i = 0; i < request.active; ++i) {
      site.first[request.lane[i] & 31U] = request.address[i];
    }
  }
  const bool inside = site.region != nullptr && lowest >= site.begin && highest + bytes <= site.end;
  const bool is_simple = inside && !is_atomic && bytes >= 4 && (bits & (bytes - 1)) == 0 &&
                         !site.region->has_narrow && site.region->begin() % 16 == 0;
  const bool is_shared = is_shared_kind(kind);
  if (is_shared && is_of_cluster()) check_other_blocks(request, site);
  for (unsigned i = 0; i < request.active; ++i) {
    slot.lane = request.lane[i] & 31U;
    if (is_simple && (!writes_memory(kind)
                          ? passes_load(*site.region, request.address[i], bytes, slot, is_shared)
                          : passes_store(*site.region, request.address[i], bytes, slot,
                                         request.stored[i], is_shared))) {
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
                                  const Slot& now, std::uint64_t value, bool is_shared) {
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
  std::uint64_t* const values = region.values(address);
  for (unsigned word = 0; word < words; ++word) {
    writes[word].plain = now;
    values[word] = value;
  }
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
    const SharedMemory memory = shared_memory(address);
    site.region = memory.region;
    if (address - memory.dynamic < launch_.dynamic_limit) {
      site.begin = memory.dynamic;
      site.end = memory.dynamic + launch_.dynamic_bytes;
      return true;
    }
    if (const auto variable = find_shared_variable(address - memory.begin)) {
      site.begin = memory.begin + variable->begin;
      site.end = site.begin + variable->bytes;
      return true;
    }
    // Without a symbol table nothing is known of the single variables.
    site.begin = memory.begin;
    site.end = has_variables() ? site.begin : memory.begin + launch_.shared_bytes;
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

}  // namespace emulator::checks
