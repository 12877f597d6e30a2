/// \file
/// What is said of bulk copies, asynchronous stores and wgmma.

#include <cstdint>
#include <string>
#include <utility>

#include "events/async_events.hpp"
#include "observers/checks/checker.hpp"
#include "observers/checks/checker_reports.hpp"

namespace emulator::checks {

// What it is that a place of the code does beside the threads.
const char* Checker::copier_text(const SiteState& site) {
  return site.multiplies ? "wgmma" : site.stores ? "an asynchronous store" : "a bulk copy";
}

void Checker::unawaited_copy(std::uint64_t pc, unsigned thread, bool is_store) {
  Finding finding;
  finding.kind = "misused-barrier";
  finding.what = std::string("a block ends while ") +
                 (is_store ? "an asynchronous store" : "a bulk copy") +
                 " to its shared memory is on the way: nobody has waited for the phase that it "
                 "belongs to";
  finding.remedy = std::string("wait for the phase of the ") + (is_store ? "store" : "copy") +
                   "'s mbarrier before the kernel ends";
  finding.place.event = is_store ? "stored by " : "copied by ";
  report(std::move(finding), pc, thread);
}

// What a block has left undone of its wgmma.
void Checker::products_left(const GroupProblem& problem) {
  if (problem.what == GroupProblem::What::none) return;
  Finding finding;
  finding.kind = "misused-barrier";
  finding.place.event = "started by ";
  switch (problem.what) {
    case GroupProblem::What::not_awaited:
      finding.what =
          "a block ends while products of wgmma are on the way: nobody has waited for their group, "
          "and the accumulators hold what was there before";
      finding.remedy = "execute wgmma.wait_group before the accumulators are read";
      break;
    case GroupProblem::What::not_committed:
      finding.what =
          "a block ends, and products of wgmma are in no group that was committed: no wait was for "
          "them";
      finding.remedy = "execute wgmma.commit_group behind the last wgmma.mma_async of a group";
      break;
    default:
      finding.what =
          "some warps of a warpgroup have started more products of wgmma than others: all four "
          "must "
          "execute each of them";
      finding.remedy = "let whole warpgroups, of 128 threads, go the same way";
  }
  report(std::move(finding), reinterpret_cast<std::uint64_t>(problem.site), problem.thread);
}

void Checker::report_unfenced(const Slot& earlier, std::uint64_t pc, unsigned thread,
                              std::string what) {
  const std::uint64_t earlier_pc = sites_pc(earlier.site);
  if (is_only_counted(Repeat::What::fence, pc, earlier_pc)) return;
  Finding finding;
  finding.kind = "missing-fence";
  finding.what = std::move(what);
  finding.remedy =
      "let the thread that wrote call fence_proxy_async() behind its writes, before the barrier "
      "that "
      "leads to the copy; behind the initialisation of mbarriers fence_mbarrier_init() is enough";
  finding.place.event = "copied by ";
  finding.others.push_back(place_at(earlier_pc, "written by " + earlier_thread_text(earlier)));
  report_repeat(std::move(finding), Repeat::What::fence, pc, earlier_pc, thread);
}

}  // namespace emulator::checks
