#include "observers/checks/kernels/cluster_check.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/words.hpp"
#include "observers/checks/access_words.hpp"
#include "observers/checks/kernels/memory_description.hpp"

namespace emulator::checks {
namespace {

constexpr const char* barrier_behind =
    "put the barrier of the cluster (cluster.sync()) after the last use of other blocks' shared "
    "memory, so that no block ends too early";
constexpr const char* barrier_before =
    "put the barrier of the cluster (cluster.sync()) before the first use of other blocks' shared "
    "memory";

}  // namespace

void ClusterCheck::begin_cluster(unsigned blocks) {
  const std::size_t threads = std::size_t{blocks} * running_.threads_of_block();
  blocks_.assign(blocks, Block{false, std::vector<Slot>(threads)});
}

// Whether anything of the block of that rank comes before what a thread does now: then it has
// begun.
bool ClusterCheck::knows_any(unsigned thread, unsigned rank) const {
  if (order_.cluster_phase() > 0) return true;
  const BlockClocks* const clocks = order_.clocks_if_any();
  if (clocks == nullptr) return false;
  const unsigned count = running_.threads_of_block();
  const auto first = clocks->row_of(thread).begin() + rank * count;
  return std::any_of(first, first + count, [](std::uint32_t known) { return known > 0; });
}

// Whether a use by another block's thread comes before the end of the block of that rank.
bool ClusterCheck::is_known_in(unsigned rank, const Slot& use, unsigned thread) const {
  if (use.segment < order_.segments().barrier_first()) return true;
  const BlockClocks* const clocks = order_.clocks_if_any();
  if (clocks == nullptr) return false;
  const unsigned count = running_.threads_of_block();
  for (unsigned i = 0; i < count; ++i) {
    if (clocks->knows(rank * count + i, thread, use.segment)) return true;
  }
  return false;
}

void ClusterCheck::check(const Request& request, const CodeSite& site) {
  for (unsigned i = 0; i < request.active; ++i) {
    const unsigned thread = running_.thread_of(request.lane[i]);
    const auto rank = shared_.rank_at(request.address[i]);
    if (!rank || *rank == running_.rank_of(thread)) continue;
    // A copy is known to have arrived by the thread that waits for it, not by the one that started
    // it.
    const std::uint32_t segment = order_.current_segment();
    if (!site.copies_in_bulk()) {
      blocks_[*rank].uses[thread] = site.access(segment, request.lane[i]);
    }
    check_use(request, i, *rank);
  }
}

void ClusterCheck::check_use(const Request& request, unsigned i, unsigned rank) {
  const unsigned thread = running_.thread_of(request.lane[i]);
  const bool has_ended = blocks_[rank].has_ended;
  if (!has_ended && knows_any(thread, rank)) return;
  const Repeat repeat{Repeat::What::outside, request.pc};
  if (findings_.is_only_counted(repeat)) return;
  const AccessKind kind = Access::kind_of(request.what);
  Finding finding;
  finding.kind = "race";
  finding.access_bytes = Access::bytes_of(request.what);
  describe_memory(finding, request.address[i], kind, shared_);
  finding.what = std::string("a thread ") + verb_of(kind) +
                 " shared memory of another block of its cluster, which may " +
                 (has_ended ? "have ended" : "not have begun");
  finding.remedy = has_ended ? barrier_behind : barrier_before;
  finding.place.event = event_of(kind);
  findings_.report(std::move(finding), repeat, thread);
}

void ClusterCheck::end_block(unsigned rank) {
  Block& block = blocks_[rank];
  block.has_ended = true;
  for (unsigned thread = 0; thread < block.uses.size(); ++thread) {
    const Slot& use = block.uses[thread];
    if (use.segment == 0 || is_known_in(rank, use, thread)) continue;
    const Repeat repeat{Repeat::What::outside, sites_.of(use).pc()};
    if (findings_.is_only_counted(repeat)) continue;
    Finding finding;
    finding.kind = "race";
    finding.what =
        "a thread uses shared memory of another block of its cluster, which may have ended";
    finding.remedy = barrier_behind;
    finding.place.event = "used by ";
    findings_.report(std::move(finding), repeat, thread);
  }
}

}  // namespace emulator::checks
