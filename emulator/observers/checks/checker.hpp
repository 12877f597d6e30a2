#pragma once
/// \file
/// The checks inside kernels: every request of a warp is held against the bounds of memory, against
/// what has been written, and against what other threads do without synchronisation.
///
/// Threads run one after another here, so that a race does no harm to the values; it is found by
/// what is missing between two accesses, not by their order. Two accesses by different threads, one
/// of them a write, race unless something orders them: a barrier of the block, a __syncwarp() that
/// both lanes take part in, the end of the launch, or a fence and an atomic (sync_log.hpp).

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/rooms.hpp"
#include "base/variables.hpp"
#include "events/bulk_copies.hpp"
#include "events/findings.hpp"
#include "events/launch_details.hpp"
#include "events/launch_observer.hpp"
#include "observers/checks/block_clocks.hpp"
#include "observers/checks/shadow.hpp"
#include "observers/checks/sync_log.hpp"

namespace emulator::checks {

/// Checks the launches of one worker.
class Checker final : public SyncObserver, public FaultObserver {
 public:
  void begin_launch(const ObservedLaunch& launch);
  /// The launch has ended, well or not: what was not told before is told now.
  void end_launch();
  void barrier_failed() override;
  void begin_block(const dim3& block) override;
  void begin_turn(const dim3& block, std::uint64_t number, std::uintptr_t shared,
                  std::uintptr_t dynamic) override;
  void begin_cluster(const dim3& first_block, const dim3& shape,
                     const std::vector<std::uintptr_t>& memories,
                     std::optional<std::uint64_t> turn) override;
  void cluster_arrived(bool all_wait) override;
  void end_block_of_cluster(unsigned rank) override;
  void grid_synchronised() override { launch_first_ = next_segment_; }
  /// What is checked from now on comes from this warp.
  void set_warp(unsigned warp) { warp_ = warp; }

  /// Checks one request of the warp. `requests` are merged: all lanes do the same at one place.
  void check(const Request& request);

  void block_synchronised(unsigned first_thread) override;
  void warp_synchronised(unsigned warp, std::uint32_t lanes, bool all) override;

  void phase_seen(unsigned thread, std::uint64_t place, std::uint64_t phase,
                  std::uint64_t pc) override;
  void copy_arrived(std::uint64_t shared, std::size_t bytes, unsigned barrier_number,
                    std::uint64_t place, std::uint64_t phase) override;
  void unawaited_copy(std::uint64_t pc, unsigned thread, bool is_store) override;
  void products_left(const GroupProblem& problem) override;

  void found(Finding finding, std::uint64_t pc, unsigned thread) override {
    report(std::move(finding), pc, thread);
  }
  std::uint64_t findings() const override { return found_; }

  /// Makes a finding about the launch: fills in kernel, place, block and thread.
  /// \param thread its number in the block
  FindingId report(Finding finding, std::uint64_t pc, unsigned thread);
  void two_barriers(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                    unsigned other) override;
  void passed_barrier(std::uint64_t pc, unsigned thread, unsigned passed) override;
  void misaligned_pointer(std::uint64_t address, unsigned alignment, std::string type,
                          std::uint64_t pc, bool is_shared, unsigned thread) override;

  void wide_shift(const std::string& amount, unsigned bits, std::uint64_t pc,
                  unsigned thread) override;
  void wrong_mask(std::string what, std::uint64_t pc, unsigned thread, std::string remedy) override;

 private:
  // What is known about a place in the code: mostly it goes to the same memory every time.
  struct SiteState {
    std::uint64_t pc = 0;
    std::uint32_t number = 0;
    Region* region = nullptr;  // null: look for it again
    std::uint64_t begin = 0;   // the allocation or variable within the region
    std::uint64_t end = 0;
    SiteState* follower = this;  // the place that came next the last time
    bool races = false;          // in this launch
    bool copies_in_bulk = false;
    bool copies_out = false;
    bool multiplies = false;  // wgmma, which is told as a copy out is
    bool stores = false;      // asynchronously, which is told as a copy in is
    // What the lanes that first came by in this launch asked for: addresses by lane, or 0.
    bool is_known = false;
    std::array<std::uint64_t, warp_size> first{};
  };
  using Known = std::array<LaneTimes, warp_size>;
  struct WarpState {
    std::uint32_t segment = 0;  // the current one; 0: a new one is due
    std::uint32_t time = 0;
    std::uint32_t synchronised = 0;  // all lanes know all that was before that time
    // What lane i knows of lane j, where only some lanes have synchronised.
    std::unique_ptr<Known> known;
  };
  // One lane's part in a request.
  struct Touch {
    Slot slot;
    std::uint64_t address = 0;
    std::uint64_t value = 0;  // what it stores
    unsigned bytes = 0;
    AccessKind kind{};
    bool is_shared = false;
    bool reads = false;
    bool writes = false;
    bool is_piece = false;
  };
  struct NarrowCell {
    WriteCell write;
    ReadCell read;
    std::uint64_t value = 0;
  };
  using NarrowCells = std::unordered_map<std::uint64_t, NarrowCell>;  // by address of the byte

  void start_block(const dim3& block, unsigned blocks = 1);
  void all_synchronised();
  // Where the shared memory is that an address belongs to.
  struct SharedMemory {
    std::uint64_t begin = 0;
    std::uint64_t dynamic = 0;
    Region* region = nullptr;
    // Only in clusters:
    bool has_ended = false;    // the block
    std::vector<Slot> uses{};  // by other blocks: for each thread the last one
  };
  SharedMemory shared_memory(std::uint64_t address) const;
  Region* shared_region(std::uint64_t address) const {
    return cluster_.empty() ? shared_.get() : shared_memory(address).region;
  }
  unsigned threads_of_block() const;
  bool is_of_cluster() const { return !cluster_.empty(); }
  void check_other_blocks(const Request& request, const SiteState& site);
  bool knows_any(unsigned thread, unsigned rank) const;
  bool is_known_in(unsigned rank, const Slot& use, unsigned thread) const;
  bool passed_by_cluster(std::uint64_t made_in_phase, const Slot& by);
  dim3 block_of(unsigned thread) const;
  SiteState& site_of(const Request& request);
  std::uint32_t current_segment();
  void check_memory(const Request& request, SiteState& site);
  bool passes_load(const Region& region, std::uint64_t address, unsigned bytes, const Slot& now,
                   bool is_shared) const;
  bool passes_store(Region& region, std::uint64_t address, unsigned bytes, const Slot& now,
                    std::uint64_t value, bool is_shared);
  void check_lane(const Request& request, SiteState& site, unsigned i, const Slot& slot);
  bool within_bounds(const Request& request, SiteState& site, unsigned i);
  bool find_bounds(SiteState& site, std::uint64_t address, AccessKind kind);
  void check_written(const Touch& touch, const Region& region, const WriteCell* writes,
                     unsigned words);
  bool check_writes(const Touch& touch, const WriteCell& write, std::uint64_t value);
  bool check_reads(const Touch& touch, const ReadCell& read);
  // Whether this block has written a word of shared memory.
  bool is_written(const WriteCell& cell) const {
    return cell.plain.number() >= shared_since_ || cell.atomic.segment >= shared_since_;
  }
  // The same of one byte, which may have been written alone or with its word.
  bool is_byte_written(const Region& region, std::uint64_t address) const;
  void check_cells(const Touch& touch, WriteCell& write, ReadCell& read, std::uint64_t& value);
  void check_bytes(const Touch& touch, Region& region);
  NarrowCells& narrow_cells(bool is_shared) { return is_shared ? shared_narrow_ : narrow_; }
  void check_narrow_cells(const Touch& touch, std::uint64_t word);
  Slot narrow_write(std::uint64_t address, bool is_shared);
  bool races(const Slot& earlier, const Touch& touch) const;
  bool is_old(const Slot& slot, bool is_shared) const;
  bool ordered(const Slot& earlier, const Slot& now) const;
  bool allowed_together(const Slot& a, const Slot& b, bool is_shared) const;
  bool is_same_thread(const Slot& earlier, const Slot& now) const;
  Fence fence_now(unsigned lane) const;
  void check_copy(const Request& request);
  void check_event(const Request& request);
  void check_bulk(const Request& request);
  void check_bulk_side(const Request& request, unsigned i, const BulkCopy& copy, bool is_shared);
  unsigned warp_of(const Slot& slot) const;
  bool check_chunk(const Request& access, SiteState& site, const BulkCopy& copy, bool is_shared,
                   bool is_told);
  void end_copy_out(std::uint64_t number, bool has_written);
  void check_made(std::uint64_t barrier, unsigned thread, std::uint64_t pc);
  BlockClocks& clocks();
  bool is_copier(const Slot& slot) const;
  bool is_unfenced(const Slot& write, unsigned starter) const;
  static const char* copier_text(const SiteState& site);
  void report_unfenced(const Slot& earlier, std::uint64_t pc, unsigned thread, std::string what);
  void check_uncounted_store(const Request& request);
  void note_strong(const Request& request);
  void note_fence(const Request& request);

  /// One of the things that are found once an access, and so up to millions of times.
  struct Repeat {
    enum class What : std::uint8_t {
      bounds,
      outside,
      alignment,
      shift,
      race,
      harmless_race,
      fence
    };
    What what;
    std::uint64_t pc;
    std::uint64_t other_pc;
    bool operator==(const Repeat&) const = default;
  };
  struct RepeatHash {
    std::size_t operator()(const Repeat& repeat) const;
  };
  struct RepeatCount {
    std::uint64_t times = 0;
    FindingId latest;
  };
  /// Whether this has been described often enough: then it is only counted.
  bool is_only_counted(Repeat::What what, std::uint64_t pc, std::uint64_t other_pc = 0);
  void report_repeat(Finding finding, Repeat::What what, std::uint64_t pc, std::uint64_t other_pc,
                     unsigned thread);

  void report_bounds(const Request& request, const SiteState& site, unsigned i);
  void report_outside(const Request& request, const SiteState& site, unsigned i);
  void report_host_memory(const Request& request, unsigned i);
  void report_unwritten(const Touch& touch);
  void report_unfinished(const Touch& touch, const Slot& copy);
  void report_race(const Touch& touch, const Slot& earlier, bool earlier_writes, bool same_value);
  std::string remedy_of_race(const Touch& touch, const Slot& earlier, bool earlier_writes) const;
  bool counts_elements_as_bytes(const Finding& finding) const;
  bool is_update(const SiteState& one, const SiteState& other) const;
  void complete(Finding& finding, std::uint64_t pc, unsigned thread) const;
  void describe_memory(Finding& finding, std::uint64_t address, AccessKind kind) const;
  std::uint64_t sites_pc(std::uint32_t number) const;
  dim3 index_of(unsigned thread) const;  // threadIdx of the block's thread of that number
  std::string thread_text(unsigned thread) const;
  std::string earlier_thread_text(const Slot& slot) const;

  ObservedLaunch launch_;
  dim3 block_;
  unsigned warp_ = 0;
  std::vector<WarpState> warps_;
  std::vector<Fence> fences_;    // of each thread of the block; none yet: 0
  bool has_new_fences_ = false;  // since the last barrier

  // Segments are numbered from 1 on through all launches: host threads take turns with them.
  static inline std::uint32_t next_segment_of_all_ = 1;
  std::uint32_t next_segment_ = 1;
  std::uint32_t launch_first_ = 1;           // the first segment of this launch
  std::uint32_t block_first_ = 1;            // of this block
  std::uint32_t barrier_first_ = 1;          // after the block's last barrier
  std::vector<Segment> segments_;            // of this block
  std::vector<std::uint32_t> block_firsts_;  // of all blocks of this launch
  std::uint32_t shared_since_ = 1;           // what the block's shared memory holds is newer
  std::unordered_map<std::uint32_t, std::vector<Segment>> released_;  // of blocks that released
  bool block_released_ = false;
  SyncLog log_;
  // Of a block that uses mbarriers or numbered barriers; none in others.
  std::unique_ptr<BlockClocks> clocks_;
  struct MadeBarrier {
    Slot by;
    bool is_fenced = false;
    bool is_told = false;
    std::uint64_t cluster_phase = 0;  // in which that was
  };
  std::unordered_map<std::uint64_t, MadeBarrier> made_;  // by the address of the mbarrier
  unsigned last_copier_ = 0;
  std::uint32_t last_copier_segment_ = 0;
  NarrowCells narrow_;
  NarrowCells shared_narrow_;  // of this block

  std::unique_ptr<Region> shared_;
  std::vector<SharedMemory> cluster_;  // of its blocks, by their ranks; empty if there are none
  std::unordered_map<std::uint64_t, std::unique_ptr<Region>> cluster_regions_;  // by address
  dim3 cluster_shape_;
  std::uint64_t cluster_phase_ = 0;  // of the cluster's barrier
  // Of a cooperative launch: the shared memory of the blocks that wait, by their numbers.
  struct Parked {
    std::unique_ptr<Region> shared;
    NarrowCells narrow;
  };
  std::unordered_map<std::uint64_t, Parked> parked_;
  std::vector<std::uint64_t> turns_;  // the block of each of block_firsts_
  std::unordered_map<std::uint64_t, std::uint32_t> site_numbers_;  // by pc
  std::vector<std::unique_ptr<SiteState>> sites_;
  SiteState* last_site_ = nullptr;
  std::uint64_t found_ = 0;
  std::unordered_map<Repeat, RepeatCount, RepeatHash> repeats_;  // of this launch
  // Reads of memory that nobody had written, by the place in the code: not told before the end of
  // the launch. Another thread may have been about to write, which is a race, and likelier.
  struct Unwritten {
    std::uint32_t site = 0;
    std::vector<Finding> described;
    std::uint64_t more = 0;
  };
  std::vector<Unwritten> unwritten_;  // of this launch
};

}  // namespace emulator::checks
