/// \file
/// Threads that wait for a phase of a barrier: who goes on, what is brought for them, and who would
/// wait for ever.

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
#include "engine/matrices/group_products.hpp"

namespace emulator::engine {

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
    if (details_ != nullptr && !request.relaxed) {
      const std::uintptr_t place = request.barrier != nullptr ? request.barrier->address
                                                              : std::uintptr_t{request.number} << 3;
      details_->sync.phase_seen(number_of(lane), place, request.phase, request.site);
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
      if (details_ != nullptr) {
        details_->sync.copy_arrived(reinterpret_cast<std::uintptr_t>(to), bytes, barrier.number,
                                    barrier.address, phase);
      }
    });
  }
  for (const Number number : std::exchange(barrier.copies, {})) {
    const BulkCopy& copy = block_barriers().copies[number.value];
    write_shared(copy);
    barrier.bytes -= static_cast<std::int64_t>(copy.bytes);
    if (details_ == nullptr) continue;
    copy.for_each_piece([&](const TilePiece& piece) {
      details_->sync.copy_arrived(piece.shared, piece.bytes, barrier.number, barrier.address,
                                  phase);
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
  if (details_ != nullptr) {
    for (const auto& barrier : all.barriers) {
      if (barrier->copies.empty() || !is_shared(barrier->address)) continue;
      const BulkCopy& copy = all.copies[barrier->copies.front().value];
      details_->faults.unawaited_copy(copy.site, copy.thread, copy.is_store);
    }
    details_->faults.products_left(group_problem());
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
    if (details_ == nullptr || lane.phase->site == guilty->phase->site) return;
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
