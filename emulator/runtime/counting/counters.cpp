#include "counting/counters.hpp"

#include <algorithm>
#include <utility>

#include "api/arena.hpp"

namespace emulator::detail {
namespace {

constexpr std::size_t first_places = 16;  // more than the conversion of arguments can take

std::size_t hash(std::uint64_t pc, std::uint64_t what) {
  return static_cast<std::size_t>(((pc ^ (what << 40)) * 0x9E3779B97F4A7C15U) >> 32);
}

// Addresses become offsets: from the start of the allocation, or, in shared memory and in
// variables, from the last multiple of 128 that no lane is below.
void make_offsets(ExampleAccess& example) {
  std::uint64_t lowest = UINT64_MAX;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if ((example.active >> lane & 1U) != 0) lowest = std::min(lowest, example.offset[lane]);
  }
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was recorded
  const Allocation* const allocation = find_allocation(reinterpret_cast<const void*>(lowest));
  const std::uint64_t base = allocation != nullptr && allocation->kind != MemoryKind::symbol
                                 ? allocation->base
                                 : lowest & ~std::uint64_t{127};
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    example.offset[lane] = (example.active >> lane & 1U) != 0 ? example.offset[lane] - base : 0;
  }
}

}  // namespace

Traffic Site::traffic() const {
  Traffic traffic;
  switch (kind()) {
    case AccessKind::global_load:
      traffic.global_load_requests = requests;
      traffic.global_load_sectors = sectors;
      traffic.global_load_ideal_sectors = ideal;
      traffic.global_load_bytes = bytes;
      break;
    case AccessKind::global_store:
      traffic.global_store_requests = requests;
      traffic.global_store_sectors = sectors;
      traffic.global_store_ideal_sectors = ideal;
      traffic.global_store_bytes = bytes;
      break;
    case AccessKind::global_atomic:
      traffic.global_atomic_requests = requests;
      traffic.global_atomic_sectors = sectors;
      break;
    case AccessKind::shared_load:
      traffic.shared_load_instructions = requests;
      traffic.shared_load_wavefronts = sectors;
      traffic.shared_load_bank_conflicts = sectors - ideal;
      break;
    case AccessKind::shared_store:
      traffic.shared_store_instructions = requests;
      traffic.shared_store_wavefronts = sectors;
      traffic.shared_store_bank_conflicts = sectors - ideal;
      break;
    case AccessKind::shared_atomic:
      traffic.shared_atomic_instructions = requests;
      break;
    case AccessKind::code_block:
      traffic.code_blocks = requests;
      traffic.code_block_lanes = active_lanes;
      break;
    case AccessKind::barrier:
      traffic.barriers = requests;
      break;
    default:
      break;  // for the checks only
  }
  return traffic;
}

void SiteCounters::count(const Request& request) {
  Site& site = find(request.pc, request.what);
  ++site.requests;
  site.active_lanes += request.active;
  switch (site.kind()) {
    case AccessKind::code_block:
    case AccessKind::barrier:
      return;
    case AccessKind::shared_load:
    case AccessKind::shared_store: {
      const SharedCost cost =
          count_wavefronts(request.address.data(), request.lane.data(), request.active,
                           site.bytes_a_lane(), site.kind() == AccessKind::shared_store);
      site.sectors += cost.wavefronts;
      site.ideal += cost.groups;
      keep_example(site, request, cost.wavefronts, cost.groups);
      return;
    }
    default: {
      const GlobalCost cost =
          count_sectors(request.address.data(), request.active, site.bytes_a_lane());
      const unsigned ideal = (cost.bytes + sector_bytes - 1) / sector_bytes;
      site.sectors += cost.sectors;
      site.ideal += ideal;
      site.bytes += cost.bytes;
      keep_example(site, request, cost.sectors, ideal);
    }
  }
}

void SiteCounters::keep_example(Site& site, const Request& request, unsigned sectors,
                                unsigned ideal) {
  const unsigned score = (sectors - ideal) * (warp_size + 1) + request.active;
  if (score <= site.score) return;
  site.score = score;
  ExampleAccess& example = site.example;
  example.block = block_;
  example.warp = warp_;
  example.sectors = sectors;
  example.ideal_sectors = ideal;
  example.active = 0;
  for (unsigned i = 0; i < request.active; ++i) {
    example.active |= 1U << request.lane[i];
    example.offset[request.lane[i]] = request.address[i];
  }
}

// A warp mostly goes the way it went the last time, so the site that follows is tried first.
inline Site& SiteCounters::find(std::uint64_t pc, std::uint64_t what) {
  const std::uint32_t guess = sites_[last_].follower;
  if (sites_[guess].pc != pc || sites_[guess].what != what) {
    const std::uint32_t found = look_up(pc, what);
    sites_[last_].follower = found;
    last_ = found;
  } else {
    last_ = guess;
  }
  return sites_[last_];
}

std::uint32_t SiteCounters::look_up(std::uint64_t pc, std::uint64_t what) {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash(pc, what) & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const Site& site = sites_[table_[slot]];
    if (site.pc == pc && site.what == what) return table_[slot];
  }
  const auto index = static_cast<std::uint32_t>(sites_.size());
  table_[slot] = index;
  Site site;
  site.pc = pc;
  site.what = what;
  sites_.push_back(site);
  if (sites_.size() * 2 > table_.size()) grow_table();
  return index;
}

void SiteCounters::grow_table() {
  table_.assign(table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t index = 1; index < sites_.size(); ++index) {
    std::size_t slot = hash(sites_[index].pc, sites_[index].what) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = index;
  }
}

RecordedSites SiteCounters::finish() && {
  RecordedSites recorded;
  for (std::size_t i = 1; i < sites_.size() && i <= first_places; ++i) {
    recorded.first_places.push_back(sites_[i].pc);
  }
  sites_.erase(sites_.begin());
  std::sort(sites_.begin(), sites_.end(), [](const Site& a, const Site& b) {
    return std::pair(a.pc, a.what) < std::pair(b.pc, b.what);
  });
  for (Site& site : sites_) make_offsets(site.example);
  recorded.sites = std::move(sites_);
  return recorded;
}

}  // namespace emulator::detail
