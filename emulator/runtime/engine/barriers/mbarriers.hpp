#pragma once
/// \file
/// What the running block knows of its barriers in shared memory and of the bulk copies that are on
/// their way. emulator/device/mbarriers.h says what they do.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/device/mbarriers.h"
#include "engine/copies/tensor_tiles.hpp"
#include "events/async_events.hpp"
#include "events/bulk_copies.hpp"

namespace emulator::engine {

struct Lane;

/// What a copy in brings arrives in shared memory. A copy out has read its value; and writes
/// it.
void write_shared(const BulkCopy& copy);
void write_store(const BulkCopy& copy);
void read_shared(BulkCopy& copy);
void write_global(const BulkCopy& copy);

/// The arrival of a thread when its copies (cp.async) are done.
struct LateArrival {
  Lane* lane = nullptr;
  std::size_t copies = 0;  ///< those that it had started until then, counted from its start
};

/// A barrier in shared memory.
struct Mbarrier {
  std::uintptr_t address = 0;
  unsigned number = 0;              ///< in the order of the block's initialisations
  std::uintptr_t site = 0;          ///< of its initialisation
  std::uint32_t expected = 0;       ///< arrivals, in each phase to come
  std::uint32_t count = 0;          ///< arrivals, in the running phase
  std::uint32_t pending = 0;        ///< of these, still to come
  std::int64_t bytes = 0;           ///< expected and not arrived
  std::int64_t told_bytes = 0;      ///< expected in the running phase
  std::uint64_t phase = 1;          ///< number of the running one; 0 is the one before the first
  std::uint32_t left = 0;           ///< threads that have no more use for it
  std::vector<Number> copies{};     ///< on the way, by their numbers
  std::vector<LateArrival> late{};  ///< of the running phase
  std::vector<Number> tried{};      ///< for each thread the phase it last asked for in vain
};

/// What a thread waits for: a phase of a barrier in shared memory, or of a numbered one.
struct PhaseRequest {
  Mbarrier* barrier;    ///< null: a numbered one
  unsigned number;      ///< of that one
  std::uint64_t phase;  ///< that is to be complete
  bool only_tests;
  bool relaxed;
  std::uintptr_t site;
};

/// One of the block's numbered barriers.
struct NamedBarrier {
  unsigned threads = 0;  ///< that the first to come has named
  unsigned come = 0;
  std::uint64_t phase = 1;
};

/// All of the running block, or of its cluster. That of a block belongs to the host thread.
struct BlockBarriers {
  static constexpr unsigned numbered = barrier_places::numbered;
  static constexpr unsigned most_blocks = barrier_places::most_blocks;  ///< of a cluster
  static constexpr unsigned of_cluster = barrier_places::of_cluster;

  std::vector<std::unique_ptr<Mbarrier>> barriers{};
  std::vector<BulkCopy> copies{};
  NamedBarrier named[numbered * most_blocks]{};
  std::uint64_t cluster_phase = 1;  ///< of the cluster's barrier
  bool cluster_arrives = false;     ///< somebody has arrived there in the running phase
  bool cluster_relaxed = false;     ///< somebody in a way that orders nothing
  unsigned made = 0;                ///< barriers in shared memory, since the block began
  unsigned tested = 0;  ///< times that all testing threads were sent away, since something happened
  bool used = false;

  Mbarrier* find(std::uintptr_t address) const;
  void clear();
};

/// Those of the block that this host thread runs, or of its cluster.
BlockBarriers& block_barriers();
/// From now on this host thread's blocks have these; null: its own again.
void share_barriers(BlockBarriers* of_cluster);

/// Starts a copy of `bytes` bytes to shared memory.
/// \param copy what is special about it
void start_bulk_copy(Lane& lane, BulkCopy copy, void* shared, const void* from, std::size_t bytes,
                     void* barrier, const void* pc);

/// What both are at the end: something is on the way to shared memory, and to that barrier.
/// \return its number
std::size_t add_copy_in(Lane& lane, BulkCopy&& copy, Mbarrier& barrier, const void* pc);

/// Whether a barrier waits for copies (cp.async) that the lane has started: then they come with the
/// barrier's phase, even if the thread has ended.
bool arrives_later(const Lane& lane);

/// Once nothing is missing the phase is complete, and the next one runs.
void end_phase_if_complete(Mbarrier& barrier);

/// What keeps the barrier's running phase from being complete.
std::array<char, 160> missing_text(const Mbarrier& barrier);

}  // namespace emulator::engine
