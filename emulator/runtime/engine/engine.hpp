#pragma once
/// \file
/// The engine: runs the blocks of a launch, thread by thread, on the fibers of a worker.
///
/// A *worker* is a host thread that runs whole blocks, one at a time. Inside a block each warp
/// runs until all its threads wait at a block barrier or have ended; inside a warp each lane runs
/// until it has to wait, for a barrier, for the other lanes of a shuffle, or, while recording,
/// for the merge to make room in its trace.

#include <array>
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "emulator/device/warp.h"
#include "emulator/host/launch.h"
#include "emulator/traffic.h"
#include "engine/fiber.hpp"
#include "events/lane_progress.hpp"
#include "events/launch_observer.hpp"
#include "events/trace.hpp"

namespace emulator::engine {

class ChildLaunches;
class Cluster;
class ClusteredGrid;
class CooperativeGrid;
class HostThreads;
struct AsyncCopies;
struct MatrixRequest;
struct Mbarrier;
struct PhaseRequest;
struct Warp;
class Worker;

/// What a thread is waiting for, if anything.
enum class Wait : std::uint8_t {
  nothing,
  block_barrier,
  warp_operation,
  tile_exchange,
  grid_barrier,
  phase,  ///< of an mbarrier, or of a numbered barrier
  ended
};
constexpr std::size_t waits = 7;  ///< how many of them there are

/// How far a thread is at the barrier of its cluster.
enum class AtClusterBarrier : std::uint8_t {
  no,
  arrived,
  complete  ///< all have arrived; it has not waited for that yet
};

/// What one lane brings to a warp operation, and what it takes away.
struct WarpRequest {
  WarpOperation operation;
  std::uint32_t mask;               ///< lanes that must take part
  std::int32_t source;              ///< lane, delta or lane mask of a shuffle
  std::int32_t width;               ///< of a shuffle
  std::uintptr_t site;              ///< where it was called
  std::uint64_t value;              ///< in the low bytes
  std::uint64_t result = 0;         ///< set when the operation is done
  bool all_equal = false;           ///< set by match_all
  MatrixRequest* matrix = nullptr;  ///< of a matrix instruction
};

/// What one thread of a tile of several warps offers to the others, and what it takes.
struct TileRequest {
  unsigned size;  ///< threads of the tile
  const void* value;
  void* result;
  unsigned bytes;   ///< 0: it only waits
  unsigned source;  ///< rank of the thread whose value it takes
};

/// One CUDA thread. A block has up to 1024 and switches between them all the time: what a switch
/// needs lies in the first cache line.
struct alignas(64) Lane {
  Worker* worker = nullptr;
  Warp* warp = nullptr;
  Suspended suspended = nullptr;   ///< where it stands; null until it begins and after its end
  WarpRequest* request = nullptr;  ///< what it asked for, on its stack, while it waits for a warp
  std::uintptr_t barrier_pc = 0;   ///< where the barrier is that it waits at
  std::int32_t predicate = 0;      ///< brought to, then taken from, that barrier
  uint3 index{};                   ///< threadIdx
  BarrierKind barrier{};
  AtClusterBarrier at_cluster_barrier = AtClusterBarrier::no;

  alignas(64) Fiber* fiber = nullptr;  ///< as long as it has begun and not ended
  LaneTrace* trace = nullptr;          ///< where accesses go; null while nothing is recorded
  LaneProgress* progress = nullptr;    ///< null unless details are wanted
  union {
    TileRequest* tile = nullptr;  ///< like `request`, for a tile of several warps
    PhaseRequest* phase;          ///< the same for a phase
  };
  AsyncCopies* copies = nullptr;     ///< that it has started; null if it has started none
  std::uint32_t depth = 0;           ///< depth of calls, for the merge
  std::uint32_t polls = 0;           ///< volatile and atomic accesses, each of which may be a poll
  const void* hinted = nullptr;      ///< where an atomic operation is about to be made
  std::uint64_t hint_bits : 16 = 0;  ///< what is known of it: emulator/device/atomics.h says
  std::uint64_t step : 48 = 0;  ///< the volatile access before which it stands; see take_step()
};
static_assert(sizeof(Lane) == 128);

/// The 32 lanes (fewer at the ragged end of a block) of one warp.
struct alignas(64) Warp {
  Lane* lanes = nullptr;
  unsigned size = 0;
  std::array<std::uint32_t, waits> waiting{};  ///< for each Wait, who waits for it, a bit a lane
  std::unique_ptr<WarpTrace> trace;            ///< held while accesses may be pending

  std::uint32_t all() const { return size == warp_size ? ~0U : (1U << size) - 1; }
  std::uint32_t at(Wait what) const { return waiting[static_cast<std::size_t>(what)]; }
  unsigned number_of(const Lane& lane) const { return static_cast<unsigned>(&lane - lanes); }

  /// The lanes, all of which wait for `from`, wait for `to` from now on.
  void move(std::uint32_t mask, Wait from, Wait to) {
    waiting[static_cast<std::size_t>(from)] &= ~mask;
    waiting[static_cast<std::size_t>(to)] |= mask;
  }
};

/// Whether that is what a lane waits for.
inline bool waits_for(const Lane& lane, Wait what) {
  return (lane.warp->at(what) >> lane.warp->number_of(lane) & 1U) != 0;
}

/// A launch in progress, shared by the workers that run it.
struct Grid {
  const char* kernel = nullptr;
  Configuration configuration{dim3(), dim3()};
  ThreadBody body{};
  CooperativeGrid* cooperative = nullptr;  ///< null unless its blocks may wait for each other
  ClusteredGrid* clustered = nullptr;      ///< null unless its blocks form clusters
  ChildLaunches* children = nullptr;       ///< what its threads launch
  HostThreads* pool = nullptr;             ///< where more host threads come from; may be null
  LaunchObserver* observer = nullptr;      ///< null unless somebody wants to know of the launch
  const LaunchDetails* details = nullptr;  ///< null unless the observer wants details
  std::uint64_t number = ++launches;       ///< of this launch, from 1 on
  std::uint64_t blocks = 0;
  std::atomic<std::uint64_t> next_block{0};
  std::atomic<cudaError_t> error{cudaSuccess};
  /// What the kernel itself says of clusters, if that is not what it was launched with: then no
  /// block has done anything yet.
  dim3 declared{0, 0, 0};
  std::atomic<bool> told_of_waiting{false};
  std::atomic<bool> told_of_running{false};
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

  static inline std::atomic<std::uint64_t> launches{0};
};

/// A host thread's equipment for running blocks.
class Worker {
 public:
  Worker();
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Runs blocks of `grid` until none is left or a thread has failed.
  void run(Grid& grid);

  /// Runs one thread after the other, on a fiber.
  [[noreturn]] static void thread_main();

  /// Lets others have their turn. The calling thread waits for nothing.
  void suspend(Lane& lane) {
    begin_switch();
    switch_stacks(suspended_, lane.suspended);
  }

  /// Suspends the calling thread until the engine has what it waits for.
  void wait(Lane& lane, Wait what);

  /// The same for a barrier of the block, called at `pc`.
  void wait_at_barrier(Lane& lane, std::uintptr_t pc);
  void vote_at_barrier(Lane& lane, BarrierKind kind, int predicate, std::uintptr_t pc);

  /// The same for a phase, which the lane has noted.
  void wait_for_phase(Lane& lane);

  /// Ends the launch for what the running thread does: remembers the error, has the line printed,
  /// and abandons the block on the spot.
  /// \param what no std::string: its functions may be the program's, and count as the kernel's work
  /// \param kind what a finding of it is called, if the checks are on
  /// \param pc where it happened, if that is known
  [[noreturn]] void fail(cudaError_t error, const char* what, const char* kind = "failed-kernel",
                         std::uintptr_t pc = 0);

  /// The same for what a thread of the block waits for, which need not run; null if it is none's.
  [[noreturn]] void fail_for(const Lane* lane, cudaError_t error, const char* what,
                             const char* kind = "failed-kernel", std::uintptr_t pc = 0);

  /// The number of a thread among those of its cluster, or of its block.
  unsigned number_of(const Lane& lane) const {
    return first_thread_ + static_cast<unsigned>(&lane - lanes_.data());
  }

  /// Like fail(), without a message of its own.
  [[noreturn]] void abandon(cudaError_t error);

  /// For the observer: the running thread uses a pointer that is not aligned as its type, `type`,
  /// is.
  void report_misaligned(const Lane& lane, std::uintptr_t pointer, unsigned alignment,
                         const std::string& type, std::uintptr_t pc);

  /// For the observer: it shifts by `amount` where there are no more than `bits`.
  void report_shift(const Lane& lane, const std::string& amount, unsigned bits, std::uintptr_t pc);

  /// For the observer: what else the running thread does wrong.
  void report(Finding finding, std::uintptr_t pc);
  void report(const Lane& lane, Finding finding, std::uintptr_t pc);

  /// What the running grid has launched, and the number of the running block in it.
  ChildLaunches& children() const { return *grid_->children; }
  std::uint64_t block() const { return block_; }

  /// The number of the running launch.
  std::uint64_t launch() const { return grid_->number; }

  /// `kernel: what, thread (x,y,z) of block (x,y,z)`, the thread only if there is one.
  std::string describe(const char* what, const Lane* lane) const;

  /// Makes room on the running thread's stack, if the address lies where it may grow.
  bool grow_stack(const void* address) const;

  bool stack_overflowed(const void* address) const;

  /// What an observer is told of a launch that this worker begins.
  ObservedLaunch observed(const char* kernel, const Configuration& configuration) const;

  /// Whether the running kernel's blocks may wait for each other.
  bool is_cooperative() const { return grid_->cooperative != nullptr; }

  /// From where addresses of shared memory in 32 bits count.
  std::uintptr_t shared_base() const { return thread_storage_ & ~std::uintptr_t{1023}; }
  std::uintptr_t shared_begin() const { return thread_storage_; }
  /// Whether the address lies in this worker's static or dynamic shared memory.
  bool is_shared(std::uintptr_t address) const {
    return address - thread_storage_ < thread_storage_bytes_;
  }
  /// Notes that the running block has asked for that address of its shared memory in 32 bits.
  void note_shared_address(std::uintptr_t address) {
    if (asked_for_.empty()) return;
    asked_for_[(address - thread_storage_) / bytes_of_note] = 1;
    has_asked_ = true;
  }
  /// Whether the address lies in an array of which the running block has asked for such an address.
  /// Nothing is known of this in programs with so little shared memory that nobody needs it.
  bool has_asked_for_array_at(std::uintptr_t address) const;
  /// The same of the shared memory of any block of the cluster.
  bool is_shared_of_cluster(std::uintptr_t address) const {
    return is_shared(address) || (cluster_ != nullptr && owner_of(address) != nullptr);
  }

  /// The cluster whose block this worker runs, and which of its blocks; null if the launch has no
  /// clusters.
  const Cluster* cluster() const { return cluster_; }
  unsigned cluster_rank() const { return cluster_rank_; }
  /// Who runs the block of the cluster that has that shared memory; null if none does.
  const Worker* owner_of(std::uintptr_t address) const;
  const Worker& worker_of(unsigned rank) const;

  bool has_explicit_clusters() const { return grid_->configuration.cluster.x != 0; }

  /// The kernel says how many blocks its clusters have: the launch begins anew, if it has to.
  void declare_cluster(const dim3& shape);

 private:
  void run_block(std::uint64_t block);
  void run_clusters();
  bool go_on_in_cluster();
  void spin_in_cluster();
  bool has_live_threads() const;
  bool has_running_threads() const;
  bool is_at_barrier() const;
  void end_cluster_phase();
  template <class Function>
  void for_each_block_of_cluster(Function function);
  bool run_warp(Warp& warp);
  void merge(Warp& warp, std::uint32_t running, std::uint32_t left_out = 0);
  void note_whether_stuck(bool more);
  Lane& resume(Lane& lane);
  Suspended next_after(const Lane& lane, Wait what);
  bool begin_next(Lane& lane);
  bool resolve_warp_operations(Warp& warp);
  bool release_tiles();
  bool release_phases();
  bool release_complete_phases();
  bool bring_awaited_copies();
  bool release_testers();
  bool bring_copies(Mbarrier& barrier);
  void end_barriers();
  void report_endless_phases();
  void go_on(Lane& lane);
  template <class Function>
  void for_each_phase_waiter(Function function);
  bool release_barrier();
  bool release_grid_barrier();
  void announce_block();
  void announce_cluster();
  void help_spinning_block();
  void tell_where_it_stands();
  void count_votes();
  void check_barrier();
  void check_warp_operation(const Warp& warp, const std::array<WarpRequest*, warp_size>& requests,
                            std::uint32_t taking_part, std::uint32_t live);
  void end_failed_launch();
  void report_failure();
  [[noreturn]] void report_deadlock();
  void take_fiber(Lane& lane);
  void return_fiber(Lane& lane);
  void discard_fibers();

  Grid* grid_ = nullptr;
  Suspended suspended_ = nullptr;  // where the engine itself stands while a thread runs
  std::uint64_t block_ = 0;        // the running one
  Cluster* cluster_ = nullptr;     // that it belongs to
  unsigned cluster_rank_ = 0;
  unsigned first_thread_ = 0;   // of the block among those of its cluster
  bool phases_wait_ = false;    // whether a thread of the block has waited for a phase
  bool tiles_wait_ = false;     // whether a thread of the block has come to the barrier of a tile
  bool barriers_vote_ = false;  // the same for a barrier of the block that is not the plain one
  std::chrono::steady_clock::time_point block_began_;
  std::chrono::steady_clock::time_point help_asked_;
  const Lane* last_lane_ = nullptr;  // that had its turn
  std::vector<Lane> lanes_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_fibers_;
  std::vector<std::unique_ptr<WarpTrace>> idle_traces_;
  // The host thread's copy of the program's thread-local storage: the translator turns __shared__
  // into static thread_local, so all shared memory of a block lies there.
  std::uintptr_t thread_storage_ = 0;
  std::size_t thread_storage_bytes_ = 0;
  // Of each so many bytes, where arrays begin, whether the block has asked for an address in them.
  static constexpr std::size_t bytes_of_note = 128;
  std::vector<unsigned char> asked_for_;
  bool has_asked_ = false;
  const LaunchDetails* details_ = nullptr;  // who is told those of the running launch, if anybody
  std::vector<LaneProgress> progress_;
  struct Failure {
    std::string text;  // empty if there is nothing to say
    std::string kind;
    std::uintptr_t pc = 0;
    unsigned thread = 0;
    std::vector<FindingPlace> others{};
  };
  Failure failure_;  // for the time between a jump out of a kernel and its end
  std::jmp_buf escape_;

  // For note_whether_stuck(): of a pass over the warps, and since when.
  bool some_wait_ = false;
  bool some_get_on_ = false;
  unsigned passes_stuck_ = 0;
  bool lanes_pass_ = false;
};

/// The lane that runs on this host thread, or null while host code runs.
extern constinit thread_local Lane* current_lane;

/// The same, but null too while nothing is recorded: the one test that instrumented code makes.
extern constinit thread_local Lane* recording_lane;

/// Where the thread that had the last turn stood at its end, as a return address: 0 if that is not
/// known.
extern constinit thread_local std::uintptr_t left_at;

/// Notes that the running thread has come to a barrier at `pc`, if accesses are recorded.
void record_barrier(const void* pc);

/// The calling host thread's worker, made at first use.
Worker& this_worker();

/// Catches invalid addresses in kernels, so that they end the launch and not the program.
void install_fault_handler();

}  // namespace emulator::engine
