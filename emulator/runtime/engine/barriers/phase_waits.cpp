#include "engine/barriers/phase_waits.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "base/words.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/copies/async_copies.hpp"
#include "engine/engine.hpp"
#include "engine/launch_failure.hpp"
#include "engine/matrices/group_products.hpp"

namespace emulator::engine {

namespace {

bool is_complete(const Lane& lane) {
  const PhaseRequest& request = *lane.phase;
  if (request.number == BlockBarriers::of_cluster) {
    return lane.at_cluster_barrier == AtClusterBarrier::complete;
  }
  if (request.barrier != nullptr) return request.barrier->phase > request.phase;
  return block_barriers().named[request.number].phase > request.phase;
}

template <class Function>
void for_each_waiter(const RunningBlock& block, Function function) {
  for (const Warp& warp : block.warps()) {
    for (std::uint32_t rest = warp.at(Wait::phase); rest != 0; rest &= rest - 1) {
      function(warp.lanes[std::countr_zero(rest)]);
    }
  }
}

void go_on(Lane& lane) {
  lane.warp->move(1U << lane.warp->number_of(lane), Wait::phase, Wait::nothing);
}

// Whether there was anything on the way to a barrier that nothing else is missing for.
bool bring_copies(const RunningBlock& block, Mbarrier& barrier) {
  if (barrier.pending != 0 || (barrier.copies.empty() && barrier.late.empty())) return false;
  const LaunchDetails* const details = block.details();
  const std::uint64_t phase = barrier.phase;
  for (const LateArrival& arrival : std::exchange(barrier.late, {})) {
    if (arrival.lane->copies == nullptr) continue;
    AsyncCopies& copies = *arrival.lane->copies;
    const std::size_t count = arrival.copies - std::min(arrival.copies, copies.finished);
    finish_oldest(copies, count, [&](void* to, unsigned bytes) {
      if (details != nullptr) {
        details->sync.copy_arrived(reinterpret_cast<std::uintptr_t>(to), bytes, barrier.number,
                                   barrier.address, phase);
      }
    });
  }
  for (const Number number : std::exchange(barrier.copies, {})) {
    const BulkCopy& copy = block_barriers().copies[number.value];
    write_shared(copy);
    barrier.bytes -= static_cast<std::int64_t>(copy.bytes);
    if (details == nullptr) continue;
    copy.for_each_piece([&](const TilePiece& piece) {
      details->sync.copy_arrived(piece.shared, piece.bytes, barrier.number, barrier.address, phase);
    });
  }
  end_phase_if_complete(barrier);
  return true;
}

}  // namespace

bool PhaseWaits::release_complete(RunningBlock& block, const ClusterSeat& seat) {
  if (block_barriers().cluster_arrives) seat.end_cluster_phase(block.details());
  bool any = false;
  for_each_waiter(block, [&](Lane& lane) {
    const PhaseRequest& request = *lane.phase;
    if (!is_complete(lane)) return;
    if (block.details() != nullptr && !request.relaxed) {
      const std::uintptr_t place = request.barrier != nullptr ? request.barrier->address
                                                              : std::uintptr_t{request.number} << 3;
      block.details()->sync.phase_seen(block.number_of(lane), place, request.phase, request.site);
    }
    go_on(lane);
    any = true;
  });
  return any;
}

bool PhaseWaits::bring_awaited_copies(RunningBlock& block, const ClusterSeat& seat) const {
  if (!wait_) return false;
  BlockBarriers& all = block_barriers();
  bool brought = false;
  for_each_waiter(block, [&](Lane& lane) {
    if (lane.phase->barrier == nullptr) return;
    brought |= bring_copies(block, *lane.phase->barrier);
  });
  if (!brought) return false;
  all.tested = 0;
  release_complete(block, seat);
  return true;
}

// A thread that only tests hears that it is not complete, for as long as that may lead to anything.
bool PhaseWaits::release_testers(RunningBlock& block) {
  if (!wait_) return false;
  BlockBarriers& all = block_barriers();
  constexpr unsigned many = 1000;
  if (all.tested++ > many) return false;
  bool any = false;
  for_each_waiter(block, [&](Lane& lane) {
    if (!lane.phase->only_tests) return;
    go_on(lane);
    any = true;
  });
  wait_ = false;
  for_each_waiter(block, [&](Lane&) { wait_ = true; });
  return any;
}

void PhaseWaits::end_block(RunningBlock& block, const ClusterSeat& seat) {
  BlockBarriers& all = block_barriers();
  wait_ = false;
  if (!all.used) return;
  for (Lane& lane : block.lanes()) {
    if (lane.copies != nullptr) end_copies(lane);
  }
  const SharedStorage& shared = block.worker().shared();
  if (block.details() != nullptr) {
    FaultObserver& faults = block.details()->faults;
    for (const auto& barrier : all.barriers) {
      if (barrier->copies.empty() || !shared.holds(barrier->address)) continue;
      const BulkCopy& copy = all.copies[barrier->copies.front().value];
      faults.unawaited_copy(copy.site, copy.thread, copy.is_store);
    }
    faults.products_left(group_problem());
  }
  if (seat.cluster() == nullptr) {
    all.clear();
    return;
  }
  clear_group_products();
  std::erase_if(all.barriers, [&](const auto& barrier) { return shared.holds(barrier->address); });
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
    std::snprintf(text.data(), text.size(), "a thread waits forever at an mbarrier: %s%s",
                  missing_text(*request.barrier).data(),
                  is_begun(request) ? "" : "; it may be waiting for the wrong phase");
  } else if (request.number == BlockBarriers::of_cluster) {
    std::snprintf(text.data(), text.size(),
                  "a thread waits forever at the barrier of the cluster: not all threads arrive");
  } else {
    const NamedBarrier& barrier = block_barriers().named[request.number];
    std::snprintf(text.data(), text.size(), "barrier %u is for %u threads, and only %u come",
                  request.number % BlockBarriers::numbered, barrier.threads, barrier.come);
  }
  return text;
}

}  // namespace

void report_endless_phases(const RunningBlock& block, LaunchFailure& failure) {
  Lane* guilty = nullptr;
  for_each_waiter(block, [&](Lane& lane) {
    if (guilty == nullptr || (is_begun(*lane.phase) && !is_begun(*guilty->phase))) guilty = &lane;
  });
  if (guilty == nullptr) return;
  failure.forget_others();
  for_each_waiter(block, [&](Lane& lane) {
    if (block.details() == nullptr || lane.phase->site == guilty->phase->site) return;
    failure.add_other(place_at(lane.phase->site, waiting_text(*lane.phase).data()));
  });
  const auto text = waiting_text(*guilty->phase);
  const bool is_numbered = guilty->phase->barrier == nullptr;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was kept
  refuse(*guilty, reinterpret_cast<const void*>(guilty->phase->site),
         is_numbered ? Refusal{"divergent-barrier", cudaErrorLaunchFailure} : misuse, "%s",
         text.data());
}

}  // namespace emulator::engine
