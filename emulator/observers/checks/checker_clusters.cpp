/// \file
/// Clusters. The checks look at the blocks of a cluster together, as if they were one block whose
/// barrier is the cluster's; a barrier of one of the blocks orders only its own threads.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/extents.hpp"
#include "observers/checks/checker.hpp"
#include "observers/checks/checker_reports.hpp"

namespace emulator::checks {
namespace {

constexpr const char* barrier_behind =
    "put the barrier of the cluster (cluster.sync()) behind the last use of other blocks' shared "
    "memory, so that no block ends before";
constexpr const char* barrier_before =
    "put the barrier of the cluster (cluster.sync()) before the first use of other blocks' shared "
    "memory";

}  // namespace

// After a barrier of the grid a cluster is, for the checks, another one with the same memory, whose
// threads have all met.
void Checker::begin_cluster(const dim3& first_block, const dim3& shape,
                            const std::vector<std::uintptr_t>& memories,
                            std::optional<std::uint64_t> turn) {
  const bool goes_on = turn && cluster_regions_.contains(memories.front());
  if (!turn || turns_.empty()) {
    shared_since_ = next_segment_;
    shared_narrow_.clear();
  }
  if (turn) turns_.push_back(*turn);
  cluster_shape_ = shape;
  cluster_phase_ = goes_on ? 1 : 0;
  cluster_.clear();
  for (const std::uintptr_t begin : memories) {
    std::unique_ptr<Region>& region = cluster_regions_[begin];
    if (region == nullptr) {
      region = std::make_unique<Region>(begin, launch_.shared_bytes, /*written=*/true, 0);
    }
    if (!goes_on) region->has_narrow = false;
    cluster_.push_back({begin, begin + (launch_.dynamic - launch_.shared), region.get()});
  }
  start_block(first_block, static_cast<unsigned>(memories.size()));
  for (SharedMemory& memory : cluster_) memory.uses.resize(warps_.size() * warp_size);
}

Checker::SharedMemory Checker::shared_memory(std::uint64_t address) const {
  for (const SharedMemory& memory : cluster_) {
    if (address - memory.begin < launch_.shared_bytes) {
      return {memory.begin, memory.dynamic, memory.region};
    }
  }
  return {launch_.shared, launch_.dynamic, shared_.get()};
}

dim3 Checker::block_of(unsigned thread) const {
  if (!is_of_cluster()) return block_;
  const uint3 place = place_in(cluster_shape_, thread / threads_of_block());
  return {block_.x + place.x, block_.y + place.y, block_.z + place.z};
}

// As if the last warp were a whole one.
unsigned Checker::threads_of_block() const {
  const unsigned threads = volume(launch_.block);
  return (threads + warp_size - 1) / warp_size * warp_size;
}

void Checker::block_synchronised(unsigned first_thread) {
  if (!is_of_cluster()) {
    all_synchronised();
    return;
  }
  const unsigned count = threads_of_block();
  for (unsigned i = 0; i < count / warp_size; ++i) warps_[first_thread / warp_size + i].segment = 0;
  clocks().meet_all(first_thread, count, next_segment_ - 1);
  if (!has_new_fences_) return;
  auto covered = std::make_shared<std::vector<std::uint32_t>>(fences_.size());
  for (unsigned i = first_thread; i < first_thread + count; ++i) (*covered)[i] = fences_[i].own;
  for (unsigned i = first_thread; i < first_thread + count; ++i) fences_[i].others = covered;
}

void Checker::cluster_arrived(bool all_wait) {
  ++cluster_phase_;
  if (all_wait) all_synchronised();
}

// Whether the cluster's barrier came after the initialisation of an mbarrier that was fenced. Then
// it is enough that threads arrive in a way that orders nothing.
bool Checker::passed_by_cluster(std::uint64_t made_in_phase, const Slot& by) {
  if (cluster_phase_ == made_in_phase) return false;
  const unsigned maker = segments_[by.segment - block_first_].warp * warp_size + by.lane;
  return clocks().is_fenced(maker, by.segment, maker, true);
}

// ---------------------------------------------------------------- other blocks' shared memory

// Whether anything of the block of that rank comes before what a thread does now: then it has
// begun.
bool Checker::knows_any(unsigned thread, unsigned rank) const {
  if (cluster_phase_ > 0) return true;
  if (clocks_ == nullptr) return false;
  const auto first = clocks_->row_of(thread).begin() + rank * threads_of_block();
  return std::any_of(first, first + threads_of_block(),
                     [](std::uint32_t known) { return known > 0; });
}

// Whether a use by another block's thread comes before the end of the block of that rank.
bool Checker::is_known_in(unsigned rank, const Slot& use, unsigned thread) const {
  if (use.segment < barrier_first_) return true;
  if (clocks_ == nullptr) return false;
  for (unsigned i = 0; i < threads_of_block(); ++i) {
    if (clocks_->knows(rank * threads_of_block() + i, thread, use.segment)) return true;
  }
  return false;
}

void Checker::check_other_blocks(const Request& request, const SiteState& site) {
  for (unsigned i = 0; i < request.active; ++i) {
    const unsigned thread = warp_ * warp_size + request.lane[i];
    const std::uint64_t address = request.address[i];
    for (unsigned rank = 0; rank < cluster_.size(); ++rank) {
      SharedMemory& memory = cluster_[rank];
      if (address - memory.begin >= launch_.shared_bytes) continue;
      if (rank == thread / threads_of_block()) break;
      Slot use;
      use.segment = current_segment();
      use.site = site.number & 0xFFFFFFU;
      use.lane = request.lane[i] & 31U;
      // A copy is known to have arrived by who waits for it, and not by who has started it.
      if (!site.copies_in_bulk) memory.uses[thread] = use;
      const bool has_begun = knows_any(thread, rank);
      if (!memory.has_ended && has_begun) break;
      if (is_only_counted(Repeat::What::outside, request.pc)) break;
      Finding finding;
      finding.kind = "race";
      finding.access_bytes = Access::bytes_of(request.what);
      describe_memory(finding, address, Access::kind_of(request.what));
      finding.what = std::string("a thread ") + verb_of(Access::kind_of(request.what)) +
                     " shared memory of another block of its cluster, which may " +
                     (memory.has_ended ? "have ended" : "not have begun");
      finding.remedy = memory.has_ended ? barrier_behind : barrier_before;
      finding.place.event = event_of(Access::kind_of(request.what));
      report_repeat(std::move(finding), Repeat::What::outside, request.pc, 0, thread);
      break;
    }
  }
}

void Checker::end_block_of_cluster(unsigned rank) {
  SharedMemory& memory = cluster_[rank];
  memory.has_ended = true;
  for (unsigned thread = 0; thread < memory.uses.size(); ++thread) {
    const Slot& use = memory.uses[thread];
    if (use.segment == 0 || is_known_in(rank, use, thread)) continue;
    const std::uint64_t pc = sites_pc(use.site);
    if (is_only_counted(Repeat::What::outside, pc)) continue;
    Finding finding;
    finding.kind = "race";
    finding.what =
        "a thread uses shared memory of another block of its cluster, which may have ended";
    finding.remedy = barrier_behind;
    finding.place.event = "used by ";
    report_repeat(std::move(finding), Repeat::What::outside, pc, 0, thread);
  }
}

}  // namespace emulator::checks
