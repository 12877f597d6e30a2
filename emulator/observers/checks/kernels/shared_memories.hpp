#pragma once
/// \file
/// Where shared memory lies, of the running block, of its cluster's blocks and of blocks that wait
/// for their turn; and what is remembered of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/rooms.hpp"
#include "events/launch_observer.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/narrow_cells.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// The shared memory of one block.
struct SharedMemory {
  std::uint64_t begin = 0;
  std::uint64_t dynamic = 0;  ///< where the dynamic part begins
  Region* region = nullptr;
};

/// The shared memories of a launch.
class SharedMemories {
 public:
  void begin_launch(const ObservedLaunch& launch);
  /// \param segment the first one of the block; so with the following two
  void begin_block(std::uint32_t segment);
  /// Block number `number` of a cooperative launch begins or goes on.
  void begin_turn(std::uint64_t number, std::uintptr_t shared, std::uintptr_t dynamic,
                  std::uint32_t segment);
  /// The blocks of a cluster begin, or go on; then it returns true.
  /// \param memories where the shared memory of each begins
  bool begin_cluster(const std::vector<std::uintptr_t>& memories, std::optional<std::uint64_t> turn,
                     std::uint32_t segment);

  /// The shared memory that an address belongs to.
  SharedMemory at(std::uint64_t address) const;
  Region* region_at(std::uint64_t address) const {
    return cluster_.empty() ? own_.get() : at(address).region;
  }
  /// Of which block of the cluster it is.
  std::optional<unsigned> rank_at(std::uint64_t address) const;
  /// Whether an address is, or could be, one of the dynamic shared memory.
  bool is_dynamic(std::uint64_t address) const {
    return address - at(address).dynamic < dynamic_limit_;
  }
  std::size_t dynamic_bytes() const { return dynamic_bytes_; }
  /// The variable that an address is in, or the dynamic shared memory; none if there is nothing.
  std::optional<Extent> extent_at(std::uint64_t address) const;

  NarrowCells& narrow_cells() { return narrow_; }
  /// What shared memory holds now was written in this segment or later.
  std::uint32_t since() const { return since_; }
  /// Whether a word of shared memory has been written.
  bool is_written(const WriteCell& cell) const {
    return cell.plain.number() >= since_ || cell.atomic.segment >= since_;
  }
  /// The same of one byte, which may have been written alone or with its word.
  bool is_byte_written(const Region& region, std::uint64_t address) const;

 private:
  std::unique_ptr<Region> make_region(std::uintptr_t begin) const;

  std::uint64_t begin_ = 0;
  std::uint64_t dynamic_ = 0;
  std::size_t bytes_ = 0;
  std::size_t dynamic_bytes_ = 0;  // what the launch has asked for
  std::size_t dynamic_limit_ = 0;  // what could be asked for
  std::unique_ptr<Region> own_;
  NarrowCells narrow_;
  std::uint32_t since_ = 1;

  std::vector<SharedMemory> cluster_;  // of its blocks, by their ranks; empty if there are none
  std::unordered_map<std::uint64_t, std::unique_ptr<Region>> cluster_regions_;  // by address

  // Of a cooperative launch: the shared memory of the blocks that wait, by their numbers.
  struct Parked {
    std::unique_ptr<Region> region;
    NarrowCells narrow;
  };
  std::unordered_map<std::uint64_t, Parked> parked_;
  std::optional<std::uint64_t> turn_;  // the block or cluster that runs
};

}  // namespace emulator::checks
