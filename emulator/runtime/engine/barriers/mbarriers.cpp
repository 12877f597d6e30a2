/// \file
/// The barriers of the running block, and how their misuse ends a launch.

#include "engine/barriers/mbarriers.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <memory>

#include "engine/barriers/refusals.hpp"
#include "engine/engine.hpp"
#include "engine/matrices/group_products.hpp"

namespace emulator::engine {

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
    refuse(lane, pc, misuse, "an mbarrier that is used is not in shared memory");
  }
  if (const Worker* const other = lane.worker->seat().owner_of(address_of(pointer));
      other != nullptr && other != lane.worker) {
    refuse(lane, pc, misuse,
           "a thread uses an mbarrier of block %u of the cluster that is not initialised, or no "
           "longer is: wait for the cluster first",
           other->seat().rank());
  }
  refuse(lane, pc, misuse, "the block uses an mbarrier that it has not initialised");
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

void end_phase_if_complete(Mbarrier& barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0 || !barrier.late.empty()) return;
  ++barrier.phase;
  barrier.count = barrier.pending = barrier.expected;
  barrier.told_bytes = 0;
  block_barriers().tested = 0;
}

}  // namespace emulator::engine
