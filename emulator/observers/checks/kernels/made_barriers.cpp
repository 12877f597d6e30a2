#include "observers/checks/kernels/made_barriers.hpp"

#include <string>
#include <utility>

#include "base/words.hpp"

namespace emulator::checks {

void MadeBarriers::make(std::uint64_t barrier, const Slot& by, bool is_fenced) {
  made_[barrier] = {by, is_fenced, false, order_.cluster_phase()};
}

// Whether the cluster's barrier came after the initialisation of an mbarrier that was fenced. Then
// it is enough that threads arrive in a way that orders nothing.
bool MadeBarriers::passed_by_cluster(const Made& made) const {
  if (order_.cluster_phase() == made.cluster_phase) return false;
  const unsigned maker = order_.segments().thread_of(made.by);
  return order_.clocks().is_fenced(maker, made.by.segment, maker, true);
}

void MadeBarriers::check_use(std::uint64_t barrier, unsigned thread, std::uint64_t pc) {
  const auto found = made_.find(barrier);
  if (found == made_.end() || found->second.is_told) return;
  const Slot& by = found->second.by;
  Slot now;
  now.segment = order_.segments().last() + 1;
  now.lane = thread % warp_size & 31U;
  if (order_.segments().is_old(by, true) || order_.is_same_thread(by, now) ||
      order_.ordered(by, now) || passed_by_cluster(found->second)) {
    return;
  }
  found->second.is_told = true;
  const bool is_of_cluster = running_.is_of_cluster();
  Finding finding;
  finding.kind = "race";
  finding.what = std::string("a thread uses an mbarrier that another thread of its ") +
                 (is_of_cluster ? "cluster" : "block") + " initialises, and nothing orders the two";
  finding.remedy = is_of_cluster
                       ? "put a barrier after the initialisation of the mbarriers: "
                         "__syncthreads(), or that of the cluster if other blocks use them"
                       : "put __syncthreads() after the initialisation of the mbarriers";
  finding.place.event = "used by ";
  finding.others.push_back(
      place_at(sites_.of(by).pc(), "initialised by " + findings_.earlier_thread_text(by)));
  findings_.report(std::move(finding), pc, thread);
}

void MadeBarriers::check_use_by_copy(std::uint64_t barrier, unsigned thread, std::uint64_t pc) {
  check_use(barrier, thread, pc);
  const auto found = made_.find(barrier);
  if (found == made_.end() || found->second.is_told || found->second.is_fenced) return;
  const Slot& by = found->second.by;
  if (!fences_.is_missing_behind_barrier(by, thread)) return;
  found->second.is_told = true;
  fences_.report_missing(
      by, pc, thread, "a bulk copy uses an mbarrier that was initialised with no fence after it");
}

}  // namespace emulator::checks
