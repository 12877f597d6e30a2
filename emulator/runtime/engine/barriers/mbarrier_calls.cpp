/// \file
/// What kernels call of barriers in shared memory and of numbered ones
/// (emulator/device/mbarriers.h).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "emulator/device/mbarriers.h"
#include "emulator/ptx/ptx.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/copies/async_copies.hpp"
#include "engine/engine.hpp"
#include "engine/launches/clusters.hpp"

// Behind clusters.hpp, where a member has the name of a constant.
#include "engine/barriers/refusals.hpp"

namespace emulator::engine {
namespace {

constexpr std::uint32_t most_arrivals = (1U << 20) - 1;
constexpr std::int64_t most_bytes = (std::int64_t{1} << 20) - 1;

void record_phase_event(AsyncEvent event, const Mbarrier& barrier, const void* pc) {
  record_event(event, barrier.address | (barrier.phase & 7U), pc);
}

// Whether an address is one of the shared memory of a block that has ended.
bool has_ended(const Lane& lane, std::uintptr_t address) {
  const Cluster* const cluster = lane.worker->seat().cluster();
  if (cluster == nullptr) return false;
  const Worker* const owner = lane.worker->seat().owner_of(address);
  return owner != nullptr && cluster->block(owner->seat().rank()).state == Cluster::State::ended;
}

}  // namespace
}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void mbarrier_init(void* pointer, unsigned count, bool is_fenced) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return;  // no kernel runs
  const std::uintptr_t address = address_of(pointer);
  if (!lane->worker->shared().holds(address)) {
    refuse(*lane, pc, misuse, "an mbarrier that is being initialised is not in shared memory");
  }
  if (address % 8 != 0) {
    refuse(*lane, pc, misaligned, "an mbarrier's address is not a multiple of 8");
  }
  if (count == 0 || count > most_arrivals) {
    refuse(*lane, pc, misuse, "an mbarrier expects 1 to 1048575 arrivals per phase, not %u", count);
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

bool mbarrier_leave(void* pointer, unsigned threads) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return false;
  return ++barrier_at(*lane, pointer, __builtin_return_address(0)).left == threads;
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
    refuse(*lane, pc, misuse, "an mbarrier can expect at most 1048575 bytes per phase, not %lld",
           static_cast<long long>(barrier.bytes + bytes));
  }
  if (count > barrier.pending && !barrier.copies.empty()) {
    refuse(*lane, pc, misuse,
           "a thread arrives at an mbarrier for the next phase, and this one is not complete: "
           "copies are in flight, and nothing has waited for them");
  }
  if (count > barrier.pending) {
    refuse(*lane, pc, misuse,
           "more threads arrive at an mbarrier than the %u that a phase of it expects",
           barrier.count);
  }
  // A call without arrivals asks which phase it is, and may wait by that.
  if (count == 0 && bytes == 0) record_block_wait(pc);
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
  if (lane->copies != nullptr) lane->copies->end_batch();
  barrier.late.push_back({lane, lane->copies == nullptr ? 0 : lane->copies->batched});
}

bool mbarrier_wait(void* pointer, std::uint64_t which, unsigned use) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) return true;
  Mbarrier& barrier = barrier_at(*lane, pointer, pc);
  if (!lane->worker->shared().holds(barrier.address)) {
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
  lane->worker->wait(*lane, Wait::phase);
  if (barrier.phase <= phase) return false;
  record_block_wait(pc);  // once: the program may have tried before
  return true;
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
    refuse(*lane, pc, misuse, "a block has barriers 0 to 15, not %u", number);
  }
  if (threads % warp_size != 0 || threads > whole) {
    refuse(
        *lane, pc, misuse,
        "barrier %u is for %u threads: it must be a multiple of 32, and no more than the block has",
        number, threads);
  }
  BlockBarriers& barriers = block_barriers();
  barriers.used = true;
  const unsigned place = number + BlockBarriers::numbered * lane->worker->seat().rank();
  NamedBarrier& barrier = barriers.named[place];
  if (barrier.come == 0) barrier.threads = threads;
  if (barrier.threads != threads) {
    refuse(*lane, pc, misuse,
           "threads arrive at barrier %u for %u threads, where others arrived for %u", number,
           threads, barrier.threads);
  }
  record_barrier(pc);
  record_event(AsyncEvent::arrives, std::uintptr_t{place} << 3 | (barrier.phase & 7U), pc);
  // The last warp of a block counts as a whole one.
  const bool is_first = lane->warp->number_of(*lane) == 0;
  const std::uint64_t phase = barrier.phase;
  barrier.come += is_first ? 1 + warp_size - lane->warp->size : 1;
  if (barrier.come > barrier.threads) {
    refuse(*lane, pc, misuse, "more than %u threads arrive at barrier %u", threads, number);
  }
  if (barrier.come == barrier.threads) {
    barrier.come = 0;
    ++barrier.phase;
    barriers.tested = 0;
  }
  if (only_arrives) return;
  PhaseRequest request{nullptr, place, phase, false, false, address_of(pc)};
  lane->phase = &request;
  lane->worker->wait(*lane, Wait::phase);
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
