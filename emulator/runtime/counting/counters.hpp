#pragma once
/// \file
/// What each place in a kernel's code did in a launch: the counters behind every figure.

#include <array>
#include <cstdint>
#include <vector>

#include "counting/trace.hpp"
#include "emulator/traffic.h"

namespace emulator::detail {

/// One step of a warp: what the active lanes do at one place.
struct Request {
  std::uint64_t pc = 0;    ///< return address of the call that reported it
  std::uint64_t what = 0;  ///< kind and size, as Access::what()
  unsigned active = 0;     ///< lanes that take part
  /// For an access: the addresses of the active lanes and their numbers, ascending.
  std::array<std::uint64_t, warp_size> address;
  std::array<std::uint8_t, warp_size> lane;
  /// What the lanes have stored, or a hash of it; only while the checks are on.
  std::array<std::uint64_t, warp_size> stored;
};

/// The counters of one place in the code, for one kind and width of access.
struct Site {
  std::uint64_t pc = 0;
  std::uint64_t what = 0;
  std::uint64_t requests = 0;
  std::uint64_t active_lanes = 0;
  std::uint64_t sectors = 0;   ///< wavefronts, for shared memory
  std::uint64_t ideal = 0;     ///< ideal sectors; groups of lanes, for shared memory
  std::uint64_t bytes = 0;     ///< distinct bytes asked for, global memory only
  std::uint32_t follower = 0;  ///< index of the site that came next the last time
  std::uint32_t score = 0;     ///< of the example: the excess first, then the active lanes
  ExampleAccess example;       ///< its offsets are addresses until finish()

  AccessKind kind() const { return Access::kind_of(what); }
  unsigned bytes_a_lane() const { return Access::bytes_of(what); }
  /// This site's share of the launch's traffic.
  Traffic traffic() const;
};

/// What a launch leaves for lines() and instance().
struct RecordedSites {
  std::vector<Site> sites;                  ///< in the order of the code
  std::vector<std::uint64_t> first_places;  ///< where the first thread came through at its start
};

/// Collects the counters of a launch, request by request.
class SiteCounters {
 public:
  SiteCounters() : sites_(1), table_(initial_table) {}

  /// What is counted from now on comes from this warp.
  void set_warp(const dim3& block, unsigned warp) {
    block_ = block;
    warp_ = warp;
  }

  /// Counts one request.
  void count(const Request& request);

  /// What was counted, each example's addresses made offsets.
  RecordedSites finish() &&;

 private:
  static constexpr std::size_t initial_table = 256;

  Site& find(std::uint64_t pc, std::uint64_t what);
  std::uint32_t look_up(std::uint64_t pc, std::uint64_t what);
  void grow_table();
  void keep_example(Site& site, const Request& request, unsigned sectors, unsigned ideal);

  std::vector<Site> sites_;           // the first is nobody's: index 0 means none
  std::vector<std::uint32_t> table_;  // open addressing; indices into sites_
  std::uint32_t last_ = 0;            // the site that was counted last
  dim3 block_;
  unsigned warp_ = 0;
};

/// Adds the counters of one launch to those of others of the same kernel.
void add_sites(std::vector<Site>& sum, const std::vector<Site>& more);

/// A counter of Traffic's and its name in the report.
struct TrafficField {
  const char* name;
  std::uint64_t Traffic::*member;
};
extern const std::array<TrafficField, 20> traffic_fields;

}  // namespace emulator::detail
