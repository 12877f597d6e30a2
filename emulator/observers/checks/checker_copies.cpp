/// \file
/// Asynchronous copies. From its start until it has been waited for a copy may write at any time:
/// what it writes to is marked, and whoever comes by, the thread itself too, makes a finding.

#include <string>
#include <utility>

#include "observers/checks/checker.hpp"
#include "observers/checks/checker_reports.hpp"

namespace emulator::checks {

void Checker::check_copy(const Request& request) {
  const bool begins = Access::kind_of(request.what) == AccessKind::copy_begins;
  const unsigned bytes = Access::bytes_of(request.what);
  SiteState& site = site_of(request);
  if (begins) {  // what holds for a store holds for it, too
    Request store = request;
    store.what = static_cast<std::uint64_t>(AccessKind::shared_store) << 8 | bytes;
    check_memory(store, site);
  }
  const std::uint32_t segment = current_segment();
  for (unsigned i = 0; i < request.active; ++i) {
    Region* const region = shared_region(request.address[i]);
    if (region == nullptr || !region->contains(request.address[i], bytes)) continue;
    WriteCell* const cells = region->writes(request.address[i]);
    for (unsigned word = 0; word < bytes / 4; ++word) {
      Slot& slot = cells[word].plain;
      if (slot.lane != request.lane[i]) continue;  // somebody else has written, and was reported
      if (begins) {
        slot.segment = segment | Slot::unfinished;
      } else if (slot.is_unfinished()) {
        slot.segment = segment;
      }
    }
  }
}

void Checker::report_unfinished(const Touch& touch, const Slot& copy) {
  const std::uint64_t started_pc = sites_pc(copy.site);
  const std::uint64_t pc = sites_pc(touch.slot.site);
  if (is_only_counted(Repeat::What::race, pc, started_pc)) return;
  Finding finding;
  finding.kind = "race";
  finding.access_bytes = touch.bytes;
  describe_memory(finding, touch.address, touch.kind);
  const bool is_shared = touch.is_shared;
  const bool in_bulk = sites_[copy.site]->copies_in_bulk;
  const bool copy_reads = in_bulk && sites_[copy.site]->copies_out && is_shared;
  const bool by_product = sites_[copy.site]->multiplies;
  const SiteState& now = *sites_[touch.slot.site];
  finding.what = std::string(now.copies_in_bulk ? copier_text(now) : "the kernel") + " " +
                 verb_of(touch.kind) + (is_shared ? " shared" : " global") + " memory that " +
                 (in_bulk ? copier_text(*sites_[copy.site]) : "an asynchronous copy") +
                 " may still be " + (copy_reads ? "reading" : "writing");
  finding.remedy =
      !in_bulk
          ? "let the thread that started the copy commit it and wait for it (__pipeline_commit, "
            "__pipeline_wait_prior); other threads need a barrier after that"
      : by_product
          ? "have the warps wait for the product's group first (wgmma.wait_group), and only then "
            "arrive at the barrier that lets others overwrite its operands"
      : sites_[copy.site]->copies_out
          ? "let the thread that started the copy commit it and wait for it "
            "(cp_async_bulk_commit_group, cp_async_bulk_wait_group_read, or "
            "cp_async_bulk_wait_group before the result is read); others need a barrier after that"
          : "wait for the phase of the mbarrier that the copy belongs to "
            "(mbarrier_try_wait_parity, in a loop until it is true) before the tile is used; and "
            "expect the copy's bytes in that phase";
  finding.place.event = event_of(touch.kind);
  Slot thread = copy;
  thread.segment = copy.number();
  finding.others.insert(finding.others.begin(),
                        place_at(started_pc, (by_product                  ? "started by "
                                              : sites_[copy.site]->stores ? "stored by "
                                                                          : "copied to by ") +
                                                 earlier_thread_text(thread)));
  report_repeat(std::move(finding), Repeat::What::race, pc, started_pc,
                warp_ * warp_size + touch.slot.lane);
}

}  // namespace emulator::checks
