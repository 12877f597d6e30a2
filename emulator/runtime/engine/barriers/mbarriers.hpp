#pragma once
/// \file
/// What the running block knows of its barriers in shared memory and of the bulk copies that are on
/// their way. emulator/device/mbarriers.h says what they do.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/device/mbarriers.h"
#include "engine/copies/tensor_tiles.hpp"

namespace emulator::detail {

struct Lane;

// Elements of vectors that only the emulator has: the linker may choose the program's copy of the
// functions of others, which are instrumented.
struct Number {
  std::uint64_t value = 0;
};
struct CopiedByte {
  std::byte value{};
};

/// A bulk copy, from its start to the end of its block: of a piece of memory, or of a box of a
/// tensor; or a thread's asynchronous store. Or no copy, but that wgmma reads its operands, which
/// for the checks is much the same.
struct BulkCopy {
  std::uintptr_t to = 0;
  std::uintptr_t from = 0;
  std::size_t bytes = 0;
  bool is_in = true;                ///< to shared memory
  unsigned thread = 0;              ///< of the block, that started it
  std::uintptr_t site = 0;          ///< where
  std::uintptr_t barrier = 0;       ///< address; of a copy in
  unsigned barrier_number = 0;      ///< the same barrier, in the order of the initialisations
  std::vector<CopiedByte> value{};  ///< of a copy out: what it has read, once that is certain
  TensorTile tile{};                ///< of a tensor: its pieces; then `bytes` are all of the box
  unsigned swizzle = 0;             ///< of a tensor: how it lies in shared memory
  bool is_repeated = false;         ///< of a multicast copy: the same for a further block
  bool is_from_shared = false;      ///< from shared memory, to that of another block
  bool is_operand = false;          ///< of wgmma: it has no global side
  bool is_store = false;            ///< of a value that a thread had, which is `stored`
  AsyncOperation operation = AsyncOperation::store;
  std::array<CopiedByte, 16> stored{};

  std::uintptr_t shared() const { return is_in ? to : from; }
  std::uintptr_t global() const { return is_in ? from : to; }

  /// Calls the function for each piece that is side by side on both sides. Of one outside of the
  /// tensor the global address is 0.
  template <class Function>
  void for_each_piece(Function function) const {
    if (tile.pieces.empty() && bytes > 0) {
      function(TilePiece{shared(), global(), static_cast<std::uint32_t>(bytes)});
    }
    for (const TilePiece& piece : tile.pieces) function(piece);
  }
};

/// What a copy in brings comes to lie in shared memory. A copy out has read its value; and writes
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
  static constexpr unsigned numbered = 16;
  static constexpr unsigned most_blocks = 16;  ///< of a cluster
  /// For the checks every barrier is a place. That of a numbered one is 8 times its number among
  /// those of the cluster; then comes the cluster's own; those in shared memory have addresses.
  static constexpr unsigned of_cluster = numbered * most_blocks;
  static constexpr std::uintptr_t first_address = 8 * (of_cluster + 1);

  std::vector<std::unique_ptr<Mbarrier>> barriers{};
  std::vector<BulkCopy> copies{};
  NamedBarrier named[numbered * most_blocks]{};
  std::uint64_t cluster_phase = 1;  ///< of the cluster's barrier
  bool cluster_arrives = false;     ///< somebody has arrived there in the running phase
  bool cluster_relaxed = false;     ///< somebody in a way that orders nothing
  unsigned made = 0;                ///< barriers in shared memory, since the block began
  unsigned tested = 0;  ///< times that all who test were sent away, since something happened
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

/// What keeps the barrier's running phase from being complete.
std::array<char, 160> missing_text(const Mbarrier& barrier);

}  // namespace emulator::detail
