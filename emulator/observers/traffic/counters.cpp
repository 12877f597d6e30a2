#include "observers/traffic/counters.hpp"

#include <algorithm>
#include <utility>

#include "base/arena.hpp"
#include "events/async_events.hpp"
#include "events/bulk_copies.hpp"
#include "observers/traffic/atomics.hpp"
#include "observers/traffic/banks.hpp"
#include "observers/traffic/sectors.hpp"

namespace emulator::traffic {
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

SharedRequest shared_request(const AccessCounters& access, const Request& request) {
  SharedRequest shared;
  shared.bytes = access.bytes_a_lane();
  shared.is_store =
      access.kind() == AccessKind::shared_store || access.kind() == AccessKind::copy_begins;
  shared.is_matrix = access.kind() == AccessKind::shared_load &&
                     (Access::flags_of(access.what) & access_flags::is_matrix_row) != 0;
  for (unsigned i = 0; i < request.active; ++i) {
    shared.address[request.lane[i]] = request.address[i];
    shared.active |= 1U << request.lane[i];
  }
  return shared;
}

}  // namespace

SharedAtomics& SharedAtomics::operator+=(const SharedAtomics& other) {
  instructions += other.instructions;
  wavefronts += other.wavefronts;
  bank_conflicts += other.bank_conflicts;
  load_instructions += other.load_instructions;
  load_wavefronts += other.load_wavefronts;
  load_bank_conflicts += other.load_bank_conflicts;
  return *this;
}

Traffic AccessCounters::traffic() const {
  Traffic traffic;
  switch (kind()) {
    case AccessKind::global_load:
      traffic.global_load_requests = requests;
      traffic.global_load_sectors = sectors;
      traffic.global_load_ideal_sectors = ideal_sectors;
      traffic.global_load_bytes = bytes;
      traffic.peer_load_bytes = peer_bytes;
      break;
    case AccessKind::global_store:
      traffic.global_store_requests = requests;
      traffic.global_store_sectors = sectors;
      traffic.global_store_ideal_sectors = ideal_sectors;
      traffic.global_store_bytes = bytes;
      traffic.peer_store_bytes = peer_bytes;
      break;
    case AccessKind::global_atomic:
      traffic.global_atomic_requests = requests;
      traffic.global_atomic_sectors = sectors;
      traffic.global_atomic_ideal_sectors = ideal_sectors;
      traffic.global_atomic_bytes = bytes;
      traffic.peer_atomic_bytes = peer_bytes;
      break;
    case AccessKind::shared_load:
      traffic.shared_load_instructions = requests;
      traffic.shared_load_wavefronts = wavefronts;
      traffic.shared_load_bank_conflicts = wavefronts - lane_groups;
      break;
    case AccessKind::shared_store:
      traffic.shared_store_instructions = requests;
      traffic.shared_store_wavefronts = wavefronts;
      traffic.shared_store_bank_conflicts = wavefronts - lane_groups;
      break;
    case AccessKind::shared_atomic:
      traffic.shared_atomic_instructions = atomics.instructions;
      traffic.shared_atomic_wavefronts = atomics.wavefronts;
      traffic.shared_atomic_bank_conflicts = atomics.bank_conflicts;
      traffic.shared_load_instructions = atomics.load_instructions;
      traffic.shared_load_wavefronts = atomics.load_wavefronts;
      traffic.shared_load_bank_conflicts = atomics.load_bank_conflicts;
      break;
    case AccessKind::code_block:
      traffic.code_blocks = requests;
      traffic.code_block_lanes = active_lanes;
      break;
    case AccessKind::barrier:
      (is_barrier_of_hardware() ? traffic.barriers : traffic.block_waits) = requests;
      break;
    case AccessKind::bulk_copy:
      (is_bulk_in() ? traffic.bulk_load_copies : traffic.bulk_store_copies) = active_lanes;
      (is_bulk_in() ? traffic.bulk_load_sectors : traffic.bulk_store_sectors) = sectors;
      (is_bulk_in() ? traffic.bulk_load_ideal_sectors : traffic.bulk_store_ideal_sectors) =
          ideal_sectors;
      (is_bulk_in() ? traffic.bulk_load_bytes : traffic.bulk_store_bytes) = bytes;
      (is_bulk_in() ? traffic.peer_load_bytes : traffic.peer_store_bytes) = peer_bytes;
      break;
    case AccessKind::copy_begins:
      traffic.async_copy_wavefronts = wavefronts;
      traffic.async_copy_bank_conflicts = wavefronts - lane_groups;
      break;
    default:
      break;  // for the checks only
  }
  return traffic;
}

namespace {

bool is_shared_memory(std::uint64_t what) {
  const AccessKind kind = Access::kind_of(what);
  return kind >= AccessKind::shared_load && kind <= AccessKind::shared_atomic;
}

}  // namespace

// What lanes do in the shared memory of other blocks of their cluster goes by another way, of which
// nothing is known here that could be counted.
bool LaunchCounters::is_own(const Request& request) const {
  return std::all_of(request.address.begin(), request.address.begin() + request.active,
                     [&](std::uint64_t at) { return at - own_shared_ < own_shared_bytes_; });
}

Request LaunchCounters::own_part(const Request& request) const {
  Request own = request;
  own.active = 0;
  for (unsigned i = 0; i < request.active; ++i) {
    if (request.address[i] - own_shared_ >= own_shared_bytes_) continue;
    own.address[own.active] = request.address[i];
    own.lane[own.active] = request.lane[i];
    ++own.active;
  }
  return own;
}

void LaunchCounters::count(const Request& request) {
  if (own_shared_bytes_ == 0 || !is_shared_memory(request.what) || is_own(request)) {
    count_all(request);
  } else if (const Request own = own_part(request); own.active > 0) {
    count_all(own);
  }
}

void LaunchCounters::count_all(const Request& request) {
  AccessCounters& access = find(request.pc, request.what);
  ++access.requests;
  access.active_lanes += request.active;
  switch (access.kind()) {
    case AccessKind::code_block:
    case AccessKind::barrier:
      return;
    case AccessKind::bulk_copy:
      count_bulk(access, request);
      return;
    case AccessKind::shared_load:
    case AccessKind::shared_store:
    case AccessKind::copy_begins:
      count_shared(access, request);
      return;
    case AccessKind::shared_atomic:
      count_shared_atomic(access, request);
      return;
    case AccessKind::global_atomic:
      count_global(access, request,
                   global_atomic_cost(request.address.data(), request.active, access.bytes_a_lane(),
                                      atomic_form(access.what)));
      return;
    default:
      count_global(access, request,
                   count_sectors(request.address.data(), request.active, access.bytes_a_lane()));
  }
}

void LaunchCounters::count_global(AccessCounters& access, const Request& request,
                                  const GlobalCost& cost) {
  const unsigned ideal = ideal_sectors(cost);
  access.sectors += cost.sectors;
  access.ideal_sectors += ideal;
  access.bytes += cost.bytes;
  if (has_peers_) access.peer_bytes += peer_bytes_of(request, access.bytes_a_lane());
  if (ExampleAccess* const example = keep_example(access, request, cost.sectors - ideal)) {
    example->sectors = cost.sectors;
    example->ideal_sectors = ideal;
  }
}

bool LaunchCounters::is_peers(std::uint64_t address) const {
  const int owner = device_at(address);
  return owner >= 0 && owner != device_;
}

// The distinct bytes that the lanes mean of other devices' memory.
std::uint64_t LaunchCounters::peer_bytes_of(const Request& request, unsigned bytes_a_lane) const {
  std::array<std::uint64_t, warp_size> addresses{};
  unsigned count = 0;
  for (unsigned i = 0; i < request.active; ++i) {
    if (is_peers(request.address[i])) addresses[count++] = request.address[i];
  }
  return count == 0 ? 0 : count_sectors(addresses.data(), count, bytes_a_lane).bytes;
}

// Each lane of a request starts a copy of its own.
void LaunchCounters::count_bulk(AccessCounters& access, const Request& request) {
  for (unsigned i = 0; i < request.active; ++i) {
    const BulkCopy& copy = bulk_copy(request.address[i]);
    if (copy.is_repeated || copy.is_from_shared) continue;
    const bool is_tile = !copy.tile.pieces.empty();
    const std::size_t bytes = is_tile ? copy.tile.bytes_inside : copy.bytes;
    access.sectors +=
        is_tile ? copy.tile.sectors : bulk_sectors(copy.global(), copy.shared(), bytes);
    access.ideal_sectors += (bytes + sector_bytes - 1) / sector_bytes;
    access.bytes += bytes;
    if (!has_peers_) continue;
    if (is_tile) {
      for (const TilePiece& piece : copy.tile.pieces) {
        if (is_peers(piece.global)) access.peer_bytes += piece.bytes;
      }
    } else if (is_peers(copy.global())) {
      access.peer_bytes += bytes;
    }
  }
}

void LaunchCounters::count_shared(AccessCounters& access, const Request& request) {
  const SharedCost cost = count_wavefronts(shared_request(access, request));
  access.wavefronts += cost.wavefronts;
  access.lane_groups += cost.groups;
  if (ExampleAccess* const example = keep_example(access, request, cost.wavefronts - cost.groups)) {
    example->wavefronts = cost.wavefronts;
    example->lane_groups = cost.groups;
  }
}

void LaunchCounters::count_shared_atomic(AccessCounters& access, const Request& request) {
  const SharedAtomicCost cost =
      shared_atomic_cost(shared_request(access, request), atomic_form(access.what));
  access.atomics.instructions += cost.instructions;
  access.atomics.wavefronts += cost.wavefronts;
  access.atomics.bank_conflicts += cost.bank_conflicts;
  access.atomics.load_instructions += cost.load_instructions;
  access.atomics.load_wavefronts += cost.load_wavefronts;
  access.atomics.load_bank_conflicts += cost.load_bank_conflicts;
  const unsigned wavefronts = cost.wavefronts + cost.load_wavefronts;
  access.wavefronts += wavefronts;
  access.lane_groups += cost.ideal_wavefronts;
  if (ExampleAccess* const example =
          keep_example(access, request, wavefronts - cost.ideal_wavefronts)) {
    example->wavefronts = wavefronts;
    example->lane_groups = cost.ideal_wavefronts;
  }
}

ExampleAccess* LaunchCounters::keep_example(AccessCounters& access, const Request& request,
                                            unsigned excess) {
  const unsigned score = excess * (warp_size + 1) + request.active;
  if (score <= access.score) return nullptr;
  access.score = score;
  ExampleAccess& example = access.example;
  example.block = block_;
  example.warp = warp_;
  example.active = 0;
  for (unsigned i = 0; i < request.active; ++i) {
    example.active |= 1U << request.lane[i];
    example.offset[request.lane[i]] = request.address[i];
  }
  return &example;
}

// A warp mostly goes the way it went the last time, so what followed then is tried first.
inline AccessCounters& LaunchCounters::find(std::uint64_t pc, std::uint64_t what) {
  const std::uint32_t guess = accesses_[last_].follower;
  if (accesses_[guess].pc != pc || accesses_[guess].what != what) {
    const std::uint32_t found = look_up(pc, what);
    accesses_[last_].follower = found;
    last_ = found;
  } else {
    last_ = guess;
  }
  return accesses_[last_];
}

std::uint32_t LaunchCounters::look_up(std::uint64_t pc, std::uint64_t what) {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash(pc, what) & mask;
  for (; table_[slot] != 0; slot = (slot + 1) & mask) {
    const AccessCounters& access = accesses_[table_[slot]];
    if (access.pc == pc && access.what == what) return table_[slot];
  }
  const auto index = static_cast<std::uint32_t>(accesses_.size());
  table_[slot] = index;
  AccessCounters access;
  access.pc = pc;
  access.what = what;
  accesses_.push_back(access);
  if (accesses_.size() * 2 > table_.size()) grow_table();
  return index;
}

void LaunchCounters::grow_table() {
  table_.assign(table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t index = 1; index < accesses_.size(); ++index) {
    std::size_t slot = hash(accesses_[index].pc, accesses_[index].what) & mask;
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = index;
  }
}

RecordedCounters LaunchCounters::finish() && {
  RecordedCounters recorded;
  for (std::size_t i = 1; i < accesses_.size() && i <= first_places; ++i) {
    recorded.first_places.push_back(accesses_[i].pc);
  }
  accesses_.erase(accesses_.begin());
  std::sort(accesses_.begin(), accesses_.end(),
            [](const AccessCounters& a, const AccessCounters& b) {
              return std::pair(a.pc, a.what) < std::pair(b.pc, b.what);
            });
  for (AccessCounters& access : accesses_) make_offsets(access.example);
  recorded.accesses = std::move(accesses_);
  return recorded;
}

void add_counters(RecordedCounters& sum, const RecordedCounters& more) {
  for (const AccessCounters& access : more.accesses) {
    const auto found =
        std::find_if(sum.accesses.begin(), sum.accesses.end(), [&](const AccessCounters& other) {
          return other.pc == access.pc && other.what == access.what;
        });
    if (found == sum.accesses.end()) {
      sum.accesses.push_back(access);
      continue;
    }
    found->requests += access.requests;
    found->active_lanes += access.active_lanes;
    found->sectors += access.sectors;
    found->ideal_sectors += access.ideal_sectors;
    found->bytes += access.bytes;
    found->peer_bytes += access.peer_bytes;
    found->wavefronts += access.wavefronts;
    found->lane_groups += access.lane_groups;
    found->atomics += access.atomics;
    if (access.score > found->score) {
      found->score = access.score;
      found->example = access.example;
    }
  }
}

}  // namespace emulator::traffic
