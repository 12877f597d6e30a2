#pragma once
/// \file
/// The launches of one kernel, put together for a listing.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/traffic.h"
#include "observers/traffic/banks.hpp"

namespace emulator::reports {

/// Launches of one kernel with one grid and block, and the traffic of them all or of one.
struct KernelTraffic {
  std::string kernel;          ///< name without template arguments
  std::string instance;        ///< name with them
  dim3 grid;                   ///< blocks of the grid
  dim3 block;                  ///< threads of a block
  std::string error;           ///< the error that ended the launches; empty if none did
  std::uint64_t launches = 1;  ///< how many there were
  bool of_one_launch = true;   ///< the traffic is that of one launch, and all had the same
  Traffic traffic;
  std::vector<LineTraffic> lines;
};

/// Puts together the launches that agree in instance, grid, block and error, in the order of the
/// first of each. Where all caused the same traffic it is that of one, else it is added up.
std::vector<KernelTraffic> group(
    const std::vector<LaunchRecord>& launches,
    const std::function<std::string(const LaunchRecord&)>& instance_of,
    const std::function<std::vector<LineTraffic>(const LaunchRecord&)>& lines_of);

/// Adds the counts of another instruction; the example stays.
void add(InstructionTraffic& to, const InstructionTraffic& from);

/// Whether an instruction goes to shared memory.
bool is_shared(InstructionKind kind);
bool is_atomic(InstructionKind kind);

/// Sectors, or wavefronts, that a request took beyond what it could have done with.
unsigned excess_of(const ExampleAccess& example);

/// What the example of an instruction on shared memory asked of it. (Its offsets count from a
/// multiple of 128 bytes, so every word is in the bank where it was.)
SharedRequest request_of(const InstructionTraffic& instruction);

/// What an instruction moved beyond the ideal: sectors, or bank conflicts in shared memory. 0 for
/// atomics, of which no ideal is known.
std::uint64_t excess(const InstructionTraffic& instruction);

/// All sectors that a kernel moved, or all its wavefronts: what an excess is a share of.
std::uint64_t whole_traffic(const Traffic& traffic, bool shared);

/// Whether the excess is at least that many per cent of the whole.
bool is_share(std::uint64_t excess, std::uint64_t whole, unsigned percent);

/// The line's excess beyond the ideal in global or in shared memory.
std::uint64_t line_excess(const LineTraffic& line, bool shared);

/// A line is marked if it wastes this share of the kernel's traffic, in per cent.
inline constexpr unsigned marked_percent = 10;

/// Whether the line is among the kernel's worst.
bool is_marked(const LineTraffic& line, const Traffic& kernel, bool shared);

}  // namespace emulator::reports
