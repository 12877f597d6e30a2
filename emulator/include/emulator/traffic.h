#pragma once
#pragma GCC system_header
/// \file
/// What the emulator counted: the memory traffic of every recorded kernel launch, in all and line
/// by line.
///
/// Three ways lead here. A program may ask (set_recording(), launches(), lines()). With
/// `EMULATOR_REPORT=FILE` in its environment any emulated program writes every launch to a JSON
/// file. With `EMULATOR_TRAFFIC=1` it prints its kernels' source with the counts beside each line
/// when it ends.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulator/device/vector_types.h"

namespace emulator {

/// Requests a launch made of the memory system, counted as the hardware counts them.
///
/// A *request* is one memory instruction of one warp, whatever the number of its active lanes.
/// Its *sectors* are the distinct 32-byte segments that all bytes of all its active lanes touch;
/// its *bytes* are the distinct bytes that its lanes asked for, and its *ideal sectors* are those
/// it would need if these bytes were side by side from a sector's start: bytes / 32, rounded up. So
/// bytes / (32 sectors) is the share of what was moved that anybody wanted.
///
/// A shared-memory instruction takes as many *wavefronts* as the bank with the most distinct
/// 4-byte words needs; what goes beyond one wavefront per group of lanes is a *bank conflict*.
///
/// Lanes that mean one element in an *atomic* operation wait for each other. In global memory a
/// sector counts once for each of them, in shared memory each takes a wavefront, and so do lanes
/// whose words share a bank. An atomic operation for which the hardware has no instruction, such as
/// adding floating-point numbers in shared memory, is a loop: it counts as the loads and
/// compare-and-swaps that the loop is made of.
///
/// An *asynchronous copy* (cp.async) is a load from global memory and no store of a warp's to
/// shared memory. What it writes there takes wavefronts all the same, as a store of its bytes
/// would.
///
/// A *bulk copy* between global and shared memory (cp.async.bulk) is not a request of a warp's: a
/// unit of its own moves the bytes, and none of the other figures has them. It has its own: copies,
/// the sectors that they move in global memory, those that would do, and bytes.
///
/// A *code block* is a stretch of code that is entered at its start and left at its end. Each time
/// a warp executes one counts as one, and its *active lanes* are those that take part, 32 at most.
/// A *barrier* is one warp's arrival at __syncthreads() or its kin. A *block wait* is one warp's
/// wait for threads of other warps by what is not a barrier of the hardware's: it has come to its
/// end at an mbarrier (or a cuda::barrier), or at one of a tile of several warps.
struct Traffic {
  std::uint64_t global_load_requests = 0;
  std::uint64_t global_load_sectors = 0;
  std::uint64_t global_load_ideal_sectors = 0;
  std::uint64_t global_load_bytes = 0;
  std::uint64_t global_store_requests = 0;
  std::uint64_t global_store_sectors = 0;
  std::uint64_t global_store_ideal_sectors = 0;
  std::uint64_t global_store_bytes = 0;
  std::uint64_t global_atomic_requests = 0;
  std::uint64_t global_atomic_sectors = 0;
  std::uint64_t global_atomic_ideal_sectors = 0;
  std::uint64_t global_atomic_bytes = 0;
  std::uint64_t shared_load_instructions = 0;
  std::uint64_t shared_load_wavefronts = 0;
  std::uint64_t shared_load_bank_conflicts = 0;
  std::uint64_t shared_store_instructions = 0;
  std::uint64_t shared_store_wavefronts = 0;
  std::uint64_t shared_store_bank_conflicts = 0;
  std::uint64_t shared_atomic_instructions = 0;
  std::uint64_t shared_atomic_wavefronts = 0;
  std::uint64_t shared_atomic_bank_conflicts = 0;
  std::uint64_t code_blocks = 0;
  std::uint64_t code_block_lanes = 0;
  std::uint64_t barriers = 0;
  std::uint64_t bulk_load_copies = 0;
  std::uint64_t bulk_load_sectors = 0;
  std::uint64_t bulk_load_ideal_sectors = 0;
  std::uint64_t bulk_load_bytes = 0;
  std::uint64_t bulk_store_copies = 0;
  std::uint64_t bulk_store_sectors = 0;
  std::uint64_t bulk_store_ideal_sectors = 0;
  std::uint64_t bulk_store_bytes = 0;
  std::uint64_t block_waits = 0;
  std::uint64_t async_copy_wavefronts = 0;
  std::uint64_t async_copy_bank_conflicts = 0;
  std::uint64_t peer_load_bytes = 0;
  std::uint64_t peer_store_bytes = 0;
  std::uint64_t peer_atomic_bytes = 0;

  Traffic& operator+=(const Traffic& other);
#if __cplusplus >= 202002L
  friend bool operator==(const Traffic&, const Traffic&) = default;
#endif
};

/// Where a memory instruction goes and what it does there.
enum class InstructionKind : std::uint8_t {
  global_load,
  global_store,
  global_atomic,
  shared_load,
  shared_store,
  shared_atomic,
  bulk_load,
  bulk_store,
};

/// "global_load" and so on, as in the JSON report.
const char* name_of(InstructionKind kind);

/// One request of one warp, kept as an example: of all that an instruction made, the first of those
/// with the most sectors (or wavefronts) beyond the ideal, and among these the most active lanes.
struct ExampleAccess {
  dim3 block;                  ///< blockIdx
  unsigned warp = 0;           ///< of the block
  std::uint32_t active = 0;    ///< one bit per lane
  unsigned sectors = 0;        ///< of this request; global memory
  unsigned ideal_sectors = 0;  ///< what it could have done with; global memory
  unsigned wavefronts = 0;     ///< of this request; shared memory
  unsigned lane_groups = 0;    ///< wavefronts that would do; shared memory
  /// The first byte each active lane asked for, counted from the start of the allocation; for
  /// shared memory and for variables from the last multiple of 128 that no lane is below.
  std::array<std::uint64_t, 32> offset{};
};

/// One memory instruction of a kernel and what it asked for in a launch.
struct InstructionTraffic {
  InstructionKind kind = InstructionKind::global_load;
  unsigned bytes_a_lane = 0;         ///< 1, 2, 4, 8 or 16; 0 of a bulk copy
  unsigned atomic_form = 0;          ///< what an atomic operation becomes: detail::AtomicForm
  std::uint64_t requests = 0;        ///< instructions executed, once a warp
  std::uint64_t sectors = 0;         ///< global memory
  std::uint64_t ideal_sectors = 0;   ///< global memory
  std::uint64_t bytes = 0;           ///< global memory
  std::uint64_t wavefronts = 0;      ///< shared memory; of atomics with the loads of their loops
  std::uint64_t bank_conflicts = 0;  ///< shared memory: wavefronts that would not be needed if no
                                     ///< lane got in another's way
  std::uint64_t active_lanes = 0;    ///< sum over the requests
  ExampleAccess example;
};

/// A call in the source.
struct SourceCall {
  std::string file;
  int line = 0;  ///< counted from 1
  bool operator==(const SourceCall&) const = default;
};

/// What one line of the source asked for in a launch.
struct LineTraffic {
  std::string file;  ///< as the compiler knows it, with its folder
  int line = 0;      ///< counted from 1
  Traffic traffic;
  std::vector<InstructionTraffic> instructions;  ///< in the order of the machine code
  std::vector<SourceCall> calls;  ///< at which the function was inlined that the line is in
};

namespace detail {
struct RecordedCounters;
}

/// One kernel launch and the traffic it caused.
struct LaunchRecord {
  std::string kernel;       ///< name as written at the launch, without template arguments
  dim3 grid;                ///< blocks of the grid
  dim3 block;               ///< threads of a block
  Traffic traffic;          ///< what the launch asked of the memory system
  double milliseconds = 0;  ///< the emulator's own wall time; says nothing about a GPU
  std::string error;        ///< the name of the error that ended the kernel; empty if none did
  std::uint64_t launches =
      1;              ///< how many launches are added up here; more than 1 in listings only
  bool alike = true;  ///< whether all of these had the same traffic
  std::shared_ptr<const detail::RecordedCounters> counters;  ///< for lines() and instance()
};

/// The launch's traffic line by line, in order of file and line. Code that has no line, for want of
/// -g, is under the file "?" and line 0.
std::vector<LineTraffic> lines(const LaunchRecord& launch);

/// The kernel with its template arguments, `sum<float, 256>`; without, if the program holds no
/// information to tell.
std::string instance(const LaunchRecord& launch);

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

/// How listing() writes.
struct ListingStyle {
  unsigned width = 100;  ///< columns
  bool colour = false;   ///< escape sequences of a terminal
};

/// The source of the kernels with the counts beside each line, the worst lines marked, and a
/// sentence of advice for each pattern that is recognised. Launches of the same kernel with the
/// same grid and block are shown together.
std::string listing(const std::vector<LaunchRecord>& launches, const ListingStyle& style = {});

/// Has every launch from now on recorded for a listing that the program prints on stdout when it
/// ends. What `EMULATOR_TRAFFIC=1` in the environment does from the start.
void print_listing_at_exit();

}  // namespace emulator
