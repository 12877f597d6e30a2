#pragma once
/// \file
/// What each memory instruction of a kernel asked for in a launch: the counters behind every
/// figure. How a request is counted is described in sectors.hpp (global memory), banks.hpp (shared
/// memory) and atomics.hpp (atomic operations in both).

#include <array>
#include <cstdint>
#include <vector>

#include "base/devices/devices.hpp"
#include "base/rooms.hpp"
#include "emulator/traffic.h"
#include "events/access.hpp"
#include "observers/traffic/sectors.hpp"

namespace emulator::traffic {

/// What the hardware's counters say of atomic operations in shared memory, each of which may be a
/// loop of loads and compare-and-swaps.
struct SharedAtomics {
  std::uint64_t instructions = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t bank_conflicts = 0;
  std::uint64_t load_instructions = 0;
  std::uint64_t load_wavefronts = 0;
  std::uint64_t load_bank_conflicts = 0;

  SharedAtomics& operator+=(const SharedAtomics& other);
};

/// The counters of one place in the code, for one kind and width of access.
struct AccessCounters {
  std::uint64_t pc = 0;
  std::uint64_t what = 0;  ///< kind and size, as Access::what()
  std::uint64_t requests = 0;
  std::uint64_t active_lanes = 0;
  std::uint64_t sectors = 0;        ///< global memory
  std::uint64_t ideal_sectors = 0;  ///< global memory
  std::uint64_t bytes = 0;          ///< global memory: distinct bytes asked for
  std::uint64_t peer_bytes = 0;     ///< of these, those of another device's memory
  std::uint64_t wavefronts = 0;     ///< shared memory
  std::uint64_t lane_groups = 0;    ///< shared memory: wavefronts without a bank conflict
  SharedAtomics atomics;            ///< of these instructions, what the hardware makes of atomics
  std::uint32_t follower = 0;       ///< index of the counters that were next the last time
  std::uint32_t score = 0;          ///< of the example: the excess first, then the active lanes
  ExampleAccess example;            ///< its offsets are addresses until finish()

  AccessKind kind() const { return Access::kind_of(what); }
  /// Of a bulk copy: whether it goes to shared memory.
  bool is_bulk_in() const { return Access::bytes_of(what) == 1; }
  /// Of a barrier: whether it is one, or else another way to wait for threads of the block.
  bool is_barrier_of_hardware() const { return Access::bytes_of(what) == 0; }
  unsigned bytes_a_lane() const { return Access::bytes_of(what); }
  /// What was counted here, as a part of the launch's traffic.
  Traffic traffic() const;
};

}  // namespace emulator::traffic

namespace emulator::detail {

/// What a launch leaves for lines() and instance().
struct RecordedCounters {
  std::vector<traffic::AccessCounters> accesses;  ///< in the order of the code
  std::vector<std::uint64_t> first_places;  ///< where the first thread came through at its start
};

}  // namespace emulator::detail

namespace emulator::traffic {

/// Collects the counters of a launch, request by request.
class LaunchCounters {
 public:
  /// \param device on which the launch runs
  explicit LaunchCounters(int device = 0)
      : accesses_(1), table_(initial_table), device_(device), has_peers_(device_count() > 1) {}

  /// What is counted from now on comes from this warp.
  void set_warp(const dim3& block, unsigned warp) {
    block_ = block;
    warp_ = warp;
  }

  /// The block's own shared memory, where others' can also be accessed: only accesses to its own
  /// are counted.
  void set_own_shared(std::uint64_t begin, std::uint64_t bytes) {
    own_shared_ = begin;
    own_shared_bytes_ = bytes;
  }

  /// Counts one request.
  void count(const Request& request);

  /// What was counted, each example's addresses made offsets.
  RecordedCounters finish() &&;

 private:
  static constexpr std::size_t initial_table = 256;

  std::uint64_t peer_bytes_of(const Request& request, unsigned bytes_a_lane) const;
  bool is_peers(std::uint64_t address) const;
  bool is_own(const Request& request) const;
  Request own_part(const Request& request) const;
  void count_all(const Request& request);
  AccessCounters& find(std::uint64_t pc, std::uint64_t what);
  std::uint32_t look_up(std::uint64_t pc, std::uint64_t what);
  void grow_table();
  void count_global(AccessCounters& access, const Request& request, const GlobalCost& cost);
  void count_bulk(AccessCounters& access, const Request& request);
  void count_shared(AccessCounters& access, const Request& request);
  void count_shared_atomic(AccessCounters& access, const Request& request);
  /// Keeps a request as the example if it is worse than the one that is kept.
  /// \param excess sectors or wavefronts beyond the ideal
  /// \return the example to fill in with what was counted, or null
  ExampleAccess* keep_example(AccessCounters& access, const Request& request, unsigned excess);

  std::vector<AccessCounters> accesses_;  // the first is nobody's: index 0 means none
  std::vector<std::uint32_t> table_;      // open addressing; indices into accesses_
  std::uint32_t last_ = 0;                // what was counted last
  dim3 block_;
  unsigned warp_ = 0;
  std::uint64_t own_shared_ = 0;
  std::uint64_t own_shared_bytes_ = 0;  // 0: there is no other
  int device_;
  bool has_peers_;
};

/// Adds the counters of one launch to those of others of the same kernel.
void add_counters(RecordedCounters& sum, const RecordedCounters& more);

/// A counter of Traffic's and its name in the report.
struct TrafficField {
  const char* name;
  std::uint64_t Traffic::*member;
};
extern const std::array<TrafficField, 38> traffic_fields;

}  // namespace emulator::traffic
