#pragma once
#pragma GCC system_header
/// \file
/// What the emulator counted: the memory traffic of every recorded kernel launch.

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/vector_types.h"

namespace emulator {

/// Requests a launch made of the memory system, counted as the hardware counts them.
///
/// A *request* is one memory instruction of one warp, whatever the number of its active lanes.
/// Its *sectors* are the distinct 32-byte segments that all bytes of all its active lanes touch.
/// A shared-memory instruction takes as many *wavefronts* as the bank with the most distinct
/// 4-byte words needs; what goes beyond one wavefront a group of lanes is a *bank conflict*.
struct Traffic {
  std::uint64_t global_load_requests = 0;
  std::uint64_t global_load_sectors = 0;
  std::uint64_t global_store_requests = 0;
  std::uint64_t global_store_sectors = 0;
  std::uint64_t global_atomic_requests = 0;
  std::uint64_t global_atomic_sectors = 0;
  std::uint64_t shared_load_instructions = 0;
  std::uint64_t shared_load_wavefronts = 0;
  std::uint64_t shared_load_bank_conflicts = 0;
  std::uint64_t shared_store_instructions = 0;
  std::uint64_t shared_store_wavefronts = 0;
  std::uint64_t shared_store_bank_conflicts = 0;
  std::uint64_t shared_atomic_instructions = 0;

  Traffic& operator+=(const Traffic& other);
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// One kernel launch and the traffic it caused.
struct LaunchRecord {
  std::string kernel;       ///< name as written at the launch, without template arguments
  dim3 grid;                ///< blocks of the grid
  dim3 block;               ///< threads of a block
  Traffic traffic;          ///< what the launch asked of the memory system
  double milliseconds = 0;  ///< the emulator's own wall time; says nothing about a GPU
};

/// Turns recording on or off for the launches to come. While it is on, launches are counted and
/// run on one host thread in a fixed order; while it is off, blocks spread over host threads.
void set_recording(bool on);

/// Whether launches are being recorded.
bool recording();

/// The launches recorded since the start or the last clear_launches(), oldest first.
const std::vector<LaunchRecord>& launches();

/// Forgets the recorded launches.
void clear_launches();

/// The sum over all recorded launches.
Traffic total_traffic();

}  // namespace emulator
