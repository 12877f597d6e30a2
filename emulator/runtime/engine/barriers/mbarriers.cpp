#include "engine/barriers/mbarriers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/source_places.hpp"
#include "base/words.hpp"
#include "emulator/device/mbarriers.h"
#include "emulator/ptx/ptx.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/copies/async_copies.hpp"
#include "engine/engine.hpp"
#include "engine/launches/clusters.hpp"
#include "engine/matrices/group_products.hpp"

namespace emulator::engine {
namespace {

constexpr std::uint32_t most_arrivals = (1U << 20) - 1;
constexpr std::int64_t most_bytes = (std::int64_t{1} << 20) - 1;
constexpr std::size_t bulk_unit = 16;  // sizes and addresses of bulk copies are multiples of it

// Once nothing is missing the phase is complete, and the next one runs.
void end_phase_if_complete(Mbarrier& barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0 || !barrier.late.empty()) return;
  ++barrier.phase;
  barrier.count = barrier.pending = barrier.expected;
  barrier.told_bytes = 0;
  block_barriers().tested = 0;
}

void record_phase_event(AsyncEvent event, const Mbarrier& barrier, const void* pc) {
  record_event(event, barrier.address | (barrier.phase & 7U), pc);
}

// Whether an address is one of the shared memory of a block that has ended.
bool has_ended(const Lane& lane, std::uintptr_t address) {
  const Cluster* const cluster = lane.worker->cluster();
  if (cluster == nullptr) return false;
  const Worker* const owner = lane.worker->owner_of(address);
  return owner != nullptr && cluster->block(owner->cluster_rank()).state == Cluster::State::ended;
}

// What is wrong with a bulk copy: it ends the launch, as on a GPU.
void check_bulk(Lane& lane, const void* shared, const void* global, std::size_t bytes,
                bool is_from_shared, const void* pc) {
  if (bytes % bulk_unit != 0) {
    refuse(lane, pc, failed, "a bulk copy moves a multiple of 16 bytes, not %zu", bytes);
  }
  if ((address_of(shared) | address_of(global)) % bulk_unit != 0) {
    refuse(lane, pc, misaligned, "a bulk copy has an address that is not a multiple of 16");
  }
  if (!lane.worker->is_shared_of_cluster(address_of(shared)) ||
      (bytes > 0 && !lane.worker->is_shared_of_cluster(address_of(shared) + bytes - 1))) {
    refuse(lane, pc, wrong_space, "a bulk copy's shared side does not lie in shared memory");
  }
  if (lane.worker->is_shared_of_cluster(address_of(global)) != is_from_shared) {
    refuse(lane, pc, wrong_space,
           is_from_shared ? "a bulk copy's source does not lie in shared memory"
                          : "a bulk copy's global side lies in shared memory");
  }
}

}  // namespace

unsigned thread_of(const Lane& lane) {
  return static_cast<unsigned>(lane.index.x +
                               blockDim.x * (lane.index.y + blockDim.y * lane.index.z));
}

void refuse(Lane& lane, const void* pc, const Refusal& refusal, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::array<char, 320> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  lane.worker->fail_for(&lane, refusal.error, text.data(), refusal.kind, address_of(pc));
}

Mbarrier& barrier_at(Lane& lane, const void* pointer, const void* pc) {
  if (Mbarrier* const found = block_barriers().find(address_of(pointer))) return *found;
  if (!lane.worker->is_shared_of_cluster(address_of(pointer))) {
    refuse(lane, pc, misuse, "an mbarrier is used that does not lie in shared memory");
  }
  if (const Worker* const other = lane.worker->owner_of(address_of(pointer));
      other != nullptr && other != lane.worker) {
    refuse(lane, pc, misuse,
           "an mbarrier of block %u of the cluster is used that this block has not initialised, or "
           "not any more: wait for the cluster first",
           other->cluster_rank());
  }
  refuse(lane, pc, misuse, "an mbarrier is used that this block has not initialised");
}

void touch(const void* memory, std::size_t bytes) {
  constexpr std::size_t page = 4096;
  const auto* const first = static_cast<const volatile char*>(memory);
  for (std::size_t at = 0; at < bytes; at += page) static_cast<void>(first[at]);
  if (bytes > 0) static_cast<void>(first[bytes - 1]);
}

namespace {
constinit thread_local BlockBarriers* barriers_of_cluster = nullptr;
}  // namespace

BlockBarriers& block_barriers() {
  // Elsewhere: thread-local storage is shared memory, and descriptors of wgmma reach 256 KB of it.
  thread_local const auto own = std::make_unique<BlockBarriers>();
  return barriers_of_cluster != nullptr ? *barriers_of_cluster : *own;
}

void share_barriers(BlockBarriers* of_cluster) {
  barriers_of_cluster = of_cluster;
}

Mbarrier* BlockBarriers::find(std::uintptr_t address) const {
  for (const auto& barrier : barriers) {
    if (barrier->address == address) return barrier.get();
  }
  return nullptr;
}

void BlockBarriers::clear() {
  barriers.clear();
  copies.clear();
  clear_group_products();
  for (NamedBarrier& barrier : named) barrier = {};
  made = tested = 0;
  used = cluster_arrives = cluster_relaxed = false;
  cluster_phase = 1;
}

bool arrives_later(const Lane& lane) {
  const BlockBarriers& all = block_barriers();
  return all.used && std::ranges::any_of(all.barriers, [&](const auto& barrier) {
           return std::ranges::any_of(
               barrier->late, [&](const LateArrival& arrival) { return arrival.lane == &lane; });
         });
}

std::array<char, 160> missing_text(const Mbarrier& barrier) {
  std::array<char, 160> text{};
  const auto arrived = static_cast<long long>(barrier.told_bytes - barrier.bytes);
  const auto told = static_cast<long long>(barrier.told_bytes);
  if (barrier.bytes == 0) {
    std::snprintf(text.data(), text.size(), "its phase still waits for %u of %u arrivals",
                  barrier.pending, barrier.count);
  } else if (barrier.pending == 0) {
    std::snprintf(text.data(), text.size(),
                  "its phase expects %lld bytes, and copies have brought %lld", told, arrived);
  } else {
    std::snprintf(
        text.data(), text.size(),
        "its phase still waits for %u of %u arrivals, expects %lld bytes, and copies have "
        "brought %lld",
        barrier.pending, barrier.count, told, arrived);
  }
  return text;
}

// ---------------------------------------------------------------- what kernels call

std::size_t add_copy_in(Lane& lane, BulkCopy&& copy, Mbarrier& barrier, const void* pc) {
  BlockBarriers& all = block_barriers();
  const std::size_t number = all.copies.size();
  copy.thread = thread_of(lane);
  copy.site = address_of(pc);
  copy.barrier = barrier.address;
  copy.barrier_number = barrier.number;
  all.copies.push_back(std::move(copy));
  barrier.copies.push_back({number});
  return number;
}

void start_bulk_copy(Lane& lane, BulkCopy copy, void* shared, const void* from, std::size_t bytes,
                     void* pointer, const void* pc) {
  check_bulk(lane, shared, from, bytes, copy.is_from_shared, pc);
  Mbarrier& barrier = barrier_at(lane, pointer, pc);
  copy.to = address_of(shared);
  copy.from = address_of(from);
  copy.bytes = bytes;
  const std::size_t number = add_copy_in(lane, std::move(copy), barrier, pc);
  record_bulk_copy(number, true, pc);
  touch(from, bytes);  // now that it is recorded: what is wrong is then found at its line
}

// The copies of the oldest groups read their sources, and unless that is all, write.
void finish_copies_out(AsyncCopies& pending, std::size_t newest, bool only_read, const void* pc) {
  if (pending.out_groups.size() <= newest) return;
  const auto left = pending.out_groups.end() - static_cast<std::ptrdiff_t>(newest);
  std::size_t count = 0;
  for (auto group = pending.out_groups.begin(); group != left; ++group) count += group->value;
  std::vector<BulkCopy>& copies = block_barriers().copies;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t number = pending.out[i].value;
    if (copies[number].value.empty() && copies[number].bytes > 0) {
      read_shared(copies[number]);
      if (pc != nullptr) record_event(AsyncEvent::copy_has_read, number, pc);
    }
    if (only_read) continue;
    write_global(copies[number]);
    if (pc != nullptr) record_event(AsyncEvent::copy_has_written, number, pc);
  }
  if (only_read) return;
  pending.out.erase(pending.out.begin(), pending.out.begin() + static_cast<std::ptrdiff_t>(count));
  pending.out_groups.erase(pending.out_groups.begin(), left);
}

// ---------------------------------------------------------------- what the engine does

void Worker::wait_for_phase(Lane& lane) {
  phases_wait_ = true;
  wait(lane, Wait::phase);
}

namespace {

bool is_complete(const Lane& lane) {
  const PhaseRequest& request = *lane.phase;
  if (request.number == BlockBarriers::of_cluster) {
    return lane.at_cluster_barrier == AtClusterBarrier::complete;
  }
  if (request.barrier != nullptr) return request.barrier->phase > request.phase;
  return block_barriers().named[request.number].phase > request.phase;
}

}  // namespace

template <class Function>
void Worker::for_each_phase_waiter(Function function) {
  for (Warp& warp : warps_) {
    for (std::uint32_t rest = warp.at(Wait::phase); rest != 0; rest &= rest - 1) {
      function(warp.lanes[std::countr_zero(rest)]);
    }
  }
}

void Worker::go_on(Lane& lane) {
  lane.warp->move(1U << lane.warp->number_of(lane), Wait::phase, Wait::nothing);
}

bool Worker::release_complete_phases() {
  if (block_barriers().cluster_arrives) end_cluster_phase();
  bool any = false;
  for_each_phase_waiter([&](Lane& lane) {
    const PhaseRequest& request = *lane.phase;
    if (!is_complete(lane)) return;
    if (grid_->detailed && !request.relaxed) {
      const std::uintptr_t place = request.barrier != nullptr ? request.barrier->address
                                                              : std::uintptr_t{request.number} << 3;
      observer_->phase_seen(number_of(lane), place, request.phase, request.site);
    }
    go_on(lane);
    any = true;
  });
  return any;
}

// Called when no warp can run, so that all that was recorded has been merged. Lets those go on
// whose phase is complete; if there are none, brings the copies that somebody waits for.
bool Worker::release_phases() {
  if (!phases_wait_) return false;
  return release_complete_phases() || bring_awaited_copies() || release_testers();
}

bool Worker::bring_awaited_copies() {
  if (!phases_wait_) return false;
  BlockBarriers& all = block_barriers();
  bool brought = false;
  for_each_phase_waiter([&](Lane& lane) {
    if (lane.phase->barrier == nullptr) return;
    brought |= bring_copies(*lane.phase->barrier);
  });
  if (!brought) return false;
  all.tested = 0;
  release_complete_phases();
  return true;
}

// Who only tests is told that it is not complete, for as long as that may lead to anything.
bool Worker::release_testers() {
  if (!phases_wait_) return false;
  BlockBarriers& all = block_barriers();
  constexpr unsigned many = 1000;
  if (all.tested++ > many) return false;
  bool any = false;
  for_each_phase_waiter([&](Lane& lane) {
    if (!lane.phase->only_tests) return;
    go_on(lane);
    any = true;
  });
  phases_wait_ = false;
  for_each_phase_waiter([&](Lane&) { phases_wait_ = true; });
  return any;
}

// Whether there was anything on the way to a barrier that nothing else is missing for.
bool Worker::bring_copies(Mbarrier& barrier) {
  if (barrier.pending != 0 || (barrier.copies.empty() && barrier.late.empty())) return false;
  const std::uint64_t phase = barrier.phase;
  for (const LateArrival& arrival : std::exchange(barrier.late, {})) {
    if (arrival.lane->copies == nullptr) continue;
    AsyncCopies& copies = *arrival.lane->copies;
    const std::size_t count = arrival.copies - std::min(arrival.copies, copies.finished);
    finish_oldest(copies, count, [&](void* to, unsigned bytes) {
      if (grid_->detailed) {
        observer_->copy_arrived(reinterpret_cast<std::uintptr_t>(to), bytes, barrier.number,
                                barrier.address, phase);
      }
    });
  }
  for (const Number number : std::exchange(barrier.copies, {})) {
    const BulkCopy& copy = block_barriers().copies[number.value];
    write_shared(copy);
    barrier.bytes -= static_cast<std::int64_t>(copy.bytes);
    if (!grid_->detailed) continue;
    copy.for_each_piece([&](const TilePiece& piece) {
      observer_->copy_arrived(piece.shared, piece.bytes, barrier.number, barrier.address, phase);
    });
  }
  end_phase_if_complete(barrier);
  return true;
}

// The block has ended: what nobody has waited for is an error, as its memory is another's now.
void Worker::end_barriers() {
  BlockBarriers& all = block_barriers();
  phases_wait_ = false;
  if (!all.used) return;
  for (Lane& lane : lanes_) {
    if (lane.copies != nullptr) end_copies(lane);
  }
  if (grid_->detailed) {
    for (const auto& barrier : all.barriers) {
      if (barrier->copies.empty() || !is_shared(barrier->address)) continue;
      const BulkCopy& copy = all.copies[barrier->copies.front().value];
      observer_->unawaited_copy(copy.site, copy.thread, copy.is_store);
    }
    observer_->products_left(group_problem());
  }
  if (cluster_ == nullptr) {
    all.clear();
    return;
  }
  clear_group_products();
  std::erase_if(all.barriers, [&](const auto& barrier) { return is_shared(barrier->address); });
}

namespace {

// Whether something of what a thread waits for has come.
bool is_begun(const PhaseRequest& request) {
  if (request.number == BlockBarriers::of_cluster) return false;
  if (request.barrier == nullptr) return block_barriers().named[request.number].come > 1;
  return request.barrier->pending != request.barrier->count || request.barrier->told_bytes != 0;
}

std::array<char, 320> waiting_text(const PhaseRequest& request) {
  std::array<char, 320> text{};
  if (request.barrier != nullptr) {
    std::snprintf(text.data(), text.size(), "a thread waits for ever at an mbarrier: %s%s",
                  missing_text(*request.barrier).data(),
                  is_begun(request) ? "" : "; it may be the wrong phase that is waited for");
  } else if (request.number == BlockBarriers::of_cluster) {
    std::snprintf(text.data(), text.size(),
                  "a thread waits for ever at the barrier of the cluster: not all threads arrive");
  } else {
    const NamedBarrier& barrier = block_barriers().named[request.number];
    std::snprintf(text.data(), text.size(), "barrier %u is for %u threads, and only %u come",
                  request.number % BlockBarriers::numbered, barrier.threads, barrier.come);
  }
  return text;
}

}  // namespace

// Some threads wait at mbarriers, or at numbered barriers, for what never comes. A barrier that
// misses only a part says most; the others are told beside it.
void Worker::report_endless_phases() {
  Lane* guilty = nullptr;
  for_each_phase_waiter([&](Lane& lane) {
    if (guilty == nullptr || (is_begun(*lane.phase) && !is_begun(*guilty->phase))) guilty = &lane;
  });
  if (guilty == nullptr) return;
  failure_.others.clear();
  for_each_phase_waiter([&](Lane& lane) {
    if (!grid_->detailed || lane.phase->site == guilty->phase->site) return;
    FindingPlace place = place_at(lane.phase->site, waiting_text(*lane.phase).data());
    const bool is_known =
        std::any_of(failure_.others.begin(), failure_.others.end(),
                    [&](const FindingPlace& other) { return other.line == place.line; });
    if (!is_known) failure_.others.push_back(std::move(place));
  });
  const auto text = waiting_text(*guilty->phase);
  const bool is_numbered = guilty->phase->barrier == nullptr;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was kept
  refuse(*guilty, reinterpret_cast<const void*>(guilty->phase->site),
         is_numbered ? Refusal{"divergent-barrier", cudaErrorLaunchFailure} : misuse, "%s",
         text.data());
}

}  // namespace emulator::engine

namespace emulator::events {

using namespace engine;

const BulkCopy& bulk_copy(std::uint64_t number) {
  return block_barriers().copies[number];
}

}  // namespace emulator::events

// What programs call.
namespace emulator::detail {

using namespace engine;

void mbarrier_init(void* pointer, unsigned count, bool is_fenced) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;  // no kernel runs
  const std::uintptr_t address = address_of(pointer);
  if (!lane->worker->is_shared(address)) {
    refuse(*lane, pc, misuse, "an mbarrier is initialised that does not lie in shared memory");
  }
  if (address % 8 != 0) {
    refuse(*lane, pc, misaligned, "an mbarrier's address is not a multiple of 8");
  }
  if (count == 0 || count > most_arrivals) {
    refuse(*lane, pc, misuse, "an mbarrier expects 1 to 1048575 arrivals a phase, not %u", count);
  }
  BlockBarriers& all = block_barriers();
  all.used = true;
  Mbarrier* barrier = all.find(address);
  if (barrier != nullptr && (!barrier->copies.empty() || barrier->pending != barrier->count)) {
    refuse(*lane, pc, misuse, "an mbarrier is initialised again while its phase runs: %s",
           missing_text(*barrier).data());
  }
  if (barrier == nullptr) {
    all.barriers.push_back(std::make_unique<Mbarrier>());
    barrier = all.barriers.back().get();
  }
  *barrier = Mbarrier{};
  barrier->address = address;
  barrier->number = all.made++;
  barrier->site = address_of(pc);
  barrier->expected = barrier->count = barrier->pending = count;
  const std::uint64_t name = 0x6D62617272696572;  // something that no program expects there
  std::memcpy(pointer, &name, sizeof(name));
  record_event(is_fenced ? AsyncEvent::makes_fenced_barrier : AsyncEvent::makes_barrier, address,
               pc);
}

void mbarrier_end(void* pointer) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  const Mbarrier& barrier = barrier_at(*lane, pointer, __builtin_return_address(0));
  std::erase_if(block_barriers().barriers,
                [&](const auto& other) { return other.get() == &barrier; });
}

std::uint64_t mbarrier_arrive(void* pointer, unsigned count, unsigned bytes, unsigned use) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return 0;
  // Where a block has been nobody waits any more. It would be luck on a GPU, as the checks say.
  if (has_ended(*lane, address_of(pointer))) {
    record_event(AsyncEvent::uses_barrier, address_of(pointer), pc);
    return 0;
  }
  Mbarrier& barrier = barrier_at(*lane, pointer, pc);
  if (std::int64_t{bytes} > most_bytes || barrier.bytes + bytes > most_bytes) {
    refuse(*lane, pc, misuse, "an mbarrier can expect no more than 1048575 bytes a phase, not %lld",
           static_cast<long long>(barrier.bytes + bytes));
  }
  if (count > barrier.pending && !barrier.copies.empty()) {
    refuse(
        *lane, pc, misuse,
        "a thread arrives at an mbarrier for the next phase, and this one is not complete: copies "
        "are on their way, and nobody has waited for them");
  }
  if (count > barrier.pending) {
    refuse(*lane, pc, misuse,
           "more threads arrive at an mbarrier than the %u that a phase of it expects",
           barrier.count);
  }
  const bool releases = count > 0 && (use & mbarrier_relaxed) == 0;
  record_phase_event(releases ? AsyncEvent::arrives : AsyncEvent::uses_barrier, barrier, pc);
  const std::uint64_t token = barrier.phase << 20 | (barrier.pending - count);
  barrier.bytes += bytes;
  barrier.told_bytes += bytes;
  if ((use & mbarrier_drop) != 0 && barrier.expected > 0) --barrier.expected;
  barrier.pending -= count;
  end_phase_if_complete(barrier);
  return token;
}

unsigned mbarrier_pending(std::uint64_t token) {
  return static_cast<unsigned>(token & most_arrivals);
}

void mbarrier_arrive_after_copies(void* pointer, bool counts) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  Mbarrier& barrier = barrier_at(*lane, pointer, pc);
  if (!counts) {  // one more is expected, and that is this one
    ++barrier.count;
    ++barrier.pending;
  }
  if (barrier.pending == 0) {
    refuse(*lane, pc, misuse,
           "more threads arrive at an mbarrier than the %u that a phase of it expects",
           barrier.count);
  }
  record_phase_event(AsyncEvent::arrives, barrier, pc);
  --barrier.pending;
  barrier.late.push_back(
      {lane, lane->copies == nullptr ? 0 : lane->copies->finished + lane->copies->copies.size()});
}

bool mbarrier_wait(void* pointer, std::uint64_t which, unsigned use) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return true;
  Mbarrier& barrier = barrier_at(*lane, pointer, pc);
  if (!lane->worker->is_shared(barrier.address)) {
    refuse(*lane, pc, misuse,
           "a thread waits at an mbarrier of another block of the cluster: it can only arrive "
           "there");
  }
  // A parity means the running phase, if it has it, or else the one before, which is complete.
  const std::uint64_t phase = (use & mbarrier_by_parity) == 0               ? which >> 20
                              : ((barrier.phase ^ 1U) & 1U) == (which & 1U) ? barrier.phase
                                                                            : barrier.phase - 1;
  const bool only_tests = (use & mbarrier_test) != 0;
  if (barrier.phase <= phase) {
    // The instruction may give up at any time, and does so at once the first time.
    const unsigned thread = thread_of(*lane);
    if (barrier.tried.size() <= thread) barrier.tried.resize(thread + 1);
    if (std::exchange(barrier.tried[thread].value, phase) != phase) return false;
  } else if (recording_lane == nullptr) {
    return true;
  }
  PhaseRequest request{&barrier,      0, phase, only_tests, (use & mbarrier_relaxed) != 0,
                       address_of(pc)};
  lane->phase = &request;
  lane->worker->wait_for_phase(*lane);
  return barrier.phase > phase;
}

void bulk_copy_in(void* shared, const void* global, std::size_t bytes, void* pointer) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane != nullptr) start_bulk_copy(*lane, {}, shared, global, bytes, pointer, pc);
}

void bulk_copy_out(void* global, const void* shared, std::size_t bytes) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  check_bulk(*lane, shared, global, bytes, false, pc);
  BlockBarriers& all = block_barriers();
  all.used = true;
  const std::size_t number = all.copies.size();
  all.copies.push_back({.to = address_of(global),
                        .from = address_of(shared),
                        .bytes = bytes,
                        .is_in = false,
                        .thread = thread_of(*lane),
                        .site = address_of(pc)});
  AsyncCopies& pending = copies_of(*lane);
  pending.out.push_back({number});
  ++pending.out_open;
  record_bulk_copy(number, false, pc);
  touch(global, bytes);
}

void bulk_commit() {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  AsyncCopies& pending = copies_of(*lane);
  pending.out_groups.push_back({std::exchange(pending.out_open, 0)});
}

void bulk_wait(unsigned newest, bool only_read) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr || lane->copies == nullptr) return;
  finish_copies_out(*lane->copies, newest, only_read, pc);
}

void proxy_fence(bool only_barriers) {
  if (current_lane == nullptr) return;
  record_event(only_barriers ? AsyncEvent::fences_barriers : AsyncEvent::fences, 0,
               __builtin_return_address(0));
}

void named_barrier(unsigned number, unsigned threads, bool only_arrives) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  const unsigned all = blockDim.x * blockDim.y * blockDim.z;
  const unsigned whole = (all + warp_size - 1) / warp_size * warp_size;
  if (threads == 0) threads = whole;
  if (number >= BlockBarriers::numbered) {
    refuse(*lane, pc, misuse, "a block has the barriers 0 to 15, and no %u", number);
  }
  if (threads % warp_size != 0 || threads > whole) {
    refuse(*lane, pc, misuse,
           "barrier %u is for %u threads: that must be a multiple of 32 that the block has", number,
           threads);
  }
  BlockBarriers& barriers = block_barriers();
  barriers.used = true;
  const unsigned place = number + BlockBarriers::numbered * lane->worker->cluster_rank();
  NamedBarrier& barrier = barriers.named[place];
  if (barrier.come == 0) barrier.threads = threads;
  if (barrier.threads != threads) {
    refuse(*lane, pc, misuse, "threads come to barrier %u for %u threads, where others came for %u",
           number, threads, barrier.threads);
  }
  record_barrier(pc);
  record_event(AsyncEvent::arrives, std::uintptr_t{place} << 3 | (barrier.phase & 7U), pc);
  // The last warp of a block counts as a whole one.
  const bool is_first = lane->warp->number_of(*lane) == 0;
  const std::uint64_t phase = barrier.phase;
  barrier.come += is_first ? 1 + warp_size - lane->warp->size : 1;
  if (barrier.come > barrier.threads) {
    refuse(*lane, pc, misuse, "more than %u threads come to barrier %u", threads, number);
  }
  if (barrier.come == barrier.threads) {
    barrier.come = 0;
    ++barrier.phase;
    barriers.tested = 0;
  }
  if (only_arrives) return;
  PhaseRequest request{nullptr, place, phase, false, false, address_of(pc)};
  lane->phase = &request;
  lane->worker->wait_for_phase(*lane);
}

bool is_shared_address(const void* pointer) {
  Lane* const lane = current_lane;
  return lane != nullptr && lane->worker->is_shared_of_cluster(address_of(pointer));
}

// A thread's own memory is its stack, which grows downwards, and is no longer than that.
bool is_local_address(const void* pointer) {
  return address_of(pointer) - address_of(__builtin_frame_address(0)) < largest_stack;
}

}  // namespace emulator::detail
