#include "observers/checks/kernels/race_reports.hpp"

#include <utility>

#include "base/words.hpp"
#include "observers/checks/access_words.hpp"
#include "observers/checks/kernels/memory_description.hpp"

namespace emulator::checks {

// ---------------------------------------------------------------- races

// The checks look at the blocks of a cluster together: what they know as the running block are all.
RaceReports::Nearness RaceReports::nearness_of(const Slot& earlier) const {
  const Segments& segments = order_.segments();
  if (!segments.is_of_block(earlier)) return {false, false, false};
  const unsigned warp = segments.warp_of(earlier);
  const bool same_block =
      running_.rank_of(warp * warp_size) == running_.rank_of(running_.warp() * warp_size);
  return {warp == running_.warp(), same_block, true};
}

std::string RaceReports::remedy_of_race(const Touch& touch, const Slot& earlier,
                                        bool earlier_writes) const {
  const bool both_write = touch.writes && earlier_writes;
  const Nearness near = nearness_of(earlier);
  const CodeSite& writer = sites_.of(touch.writes ? touch.slot : earlier);
  const CodeSite& reader = sites_.of(touch.writes ? earlier : touch.slot);
  if (!both_write && writer.updates_what_is_read_at(reader)) {
    return "use an atomic such as atomicAdd(): an update reads, changes and writes back, and "
           "another thread can intervene";
  }
  if (near.same_warp && both_write && earlier.segment == touch.slot.segment &&
      earlier.site == touch.slot.site) {
    return "let only one thread write it, or use an atomic";
  }
  if (near.same_warp && order_.segments().warps() == 1) {
    return "put __syncwarp() between the two, with a mask that names every lane that takes part";
  }
  if (near.same_warp) {
    return "put __syncthreads() between the two, where every thread of the block reaches it; "
           "__syncwarp() is enough if no other warp uses this memory";
  }
  if (near.same_cluster && !near.same_block) {
    return "put the barrier of the cluster between the two (cluster.sync()), or have the other "
           "block arrive at an mbarrier that this one waits for";
  }
  if (near.same_cluster && touch.is_shared && !both_write && order_.clocks_if_any() != nullptr) {
    return touch.writes
               ? "have every reader arrive at an mbarrier after its last read, and wait for "
                 "that phase before the write; or put __syncthreads() between the two"
               : "have the writers arrive at an mbarrier after the write, and wait for that "
                 "phase before the read; or put __syncthreads() between the two";
  }
  if (near.same_cluster) {
    return "put __syncthreads() between the two, where every thread of the block reaches it";
  }
  return "blocks do not wait for each other: let each block write its own elements, or do the "
         "second step in a second kernel, or use atomics, or pass the data on with __threadfence() "
         "and an atomic";
}

namespace {

// Who meets at the word, and what each of the two does there.
std::string meeting(bool same_step, bool same_warp, bool same_block, bool both_write, bool writes,
                    const std::string& word) {
  const std::string nobody_orders = ", and nothing orders the two";
  if (both_write) {
    const char* const whose = same_step    ? "two lanes of one warp write, in one step, "
                              : same_warp  ? "two lanes of one warp write "
                              : same_block ? "two threads of one block write "
                                           : "threads of two blocks write ";
    return whose + ("the same " + word) + nobody_orders;
  }
  const char* const one = same_warp ? "one lane " : "one thread ";
  const char* const other = same_warp    ? "another lane of its warp"
                            : same_block ? "another thread of its block"
                                         : "a thread of another block";
  return one + std::string(writes ? "writes a " : "reads a ") + word + " that " + other +
         (writes ? " has read" : " has written") + nobody_orders;
}

// How a place that starts a copy, a store or a product mends its race.
const char* remedy_of_copy(const CodeSite& site, bool writes) {
  if (site.stores_asynchronously()) {
    return "before the store, wait until every thread is done with the old data: at the barrier of "
           "the cluster, or for a phase of an mbarrier at which every reader arrives after its "
           "last read";
  }
  if (writes) {
    return "before the copy, wait until every thread is done with the tile: for a phase of an "
           "mbarrier at which every reader arrives after its last read, or at __syncthreads()";
  }
  return "put a barrier between the writes and the copy, with fence_proxy_async() before it";
}

}  // namespace

void RaceReports::report_race(const Touch& touch, const Slot& earlier, bool earlier_writes,
                              bool same_value) {
  if (earlier.is_unfinished()) {
    report_unfinished(touch, earlier);
    return;
  }
  CodeSite& earlier_site = sites_.of(earlier);
  CodeSite& site = sites_.of(touch.slot);
  const Repeat repeat{same_value ? Repeat::What::harmless_race : Repeat::What::race, site.pc(),
                      earlier_site.pc()};
  if (findings_.is_only_counted(repeat)) return;
  const Nearness near = nearness_of(earlier);
  const bool is_copier = order_.segments().is_copier(earlier);
  const bool same_block = near.same_block && !is_copier;
  const bool same_step = near.same_warp && earlier.segment == touch.slot.segment &&
                         earlier.site == touch.slot.site && earlier_writes && touch.writes;
  Finding finding;
  finding.kind = "race";
  finding.access_bytes = touch.bytes;
  describe_memory(finding, touch.address, touch.kind, shared_);
  finding.what =
      meeting(same_step, near.same_warp, same_block, touch.writes && earlier_writes, touch.writes,
              touch.is_shared ? "word of shared memory" : "word of global memory");
  site.note_race();
  earlier_site.note_race();
  finding.remedy = remedy_of_race(touch, earlier, earlier_writes);
  if (is_copier) {
    finding.what = std::string("the kernel ") + verb_of(touch.kind) +
                   " shared memory that an asynchronous copy has written, and this thread has not "
                   "waited for it";
    finding.remedy =
        "let every thread that uses the tile wait for the phase of its mbarrier first, "
        "with the parity that belongs to this round; or have one wait, and a barrier after it";
  }
  if (site.copies_in_bulk()) {
    finding.what = std::string(site.copier_text()) + " " + verb_of(touch.kind) + " memory that " +
                   (same_block ? "another thread of its block " : "a thread of another block ") +
                   (earlier_writes ? "has written" : "has read") + ", and nothing orders the two";
    finding.remedy = remedy_of_copy(site, touch.writes);
  }
  if (same_value) {
    finding.severity = Severity::warning;
    finding.what += "; here both write the same value";
  }
  finding.place.event = event_of(touch.kind);
  const char* const how =
      earlier.is_atomic != 0 ? (earlier_writes ? "changed by an atomic of " : "read atomically by ")
      : earlier_writes       ? "written by "
                             : "read by ";
  finding.others.insert(finding.others.begin(),
                        place_at(earlier_site.pc(), how + findings_.earlier_thread_text(earlier)));
  findings_.report(std::move(finding), repeat, running_.thread_of(touch.slot.lane));
}

// ---------------------------------------------------------------- copies that go on

namespace {

// What has to be waited for before anybody comes by who is no part of the copy.
const char* remedy_of_unfinished(const CodeSite& copy) {
  if (!copy.copies_in_bulk()) {
    return "let the thread that started the copy commit it and wait for it (__pipeline_commit, "
           "__pipeline_wait_prior); other threads need a barrier after that";
  }
  if (copy.multiplies()) {
    return "have the warps wait for the product's group first (wgmma.wait_group), and only then "
           "arrive at the barrier that lets others overwrite its operands";
  }
  if (copy.copies_out()) {
    return "let the thread that started the copy commit it and wait for it "
           "(cp_async_bulk_commit_group, cp_async_bulk_wait_group_read, or "
           "cp_async_bulk_wait_group before the result is read); others need a barrier after that";
  }
  return "wait for the phase of the mbarrier that the copy belongs to "
         "(mbarrier_try_wait_parity, in a loop until it is true) before the tile is used; and "
         "expect the copy's bytes in that phase";
}

}  // namespace

void RaceReports::report_unfinished(const Touch& touch, const Slot& copy) {
  const CodeSite& started = sites_.of(copy);
  const CodeSite& now = sites_.of(touch.slot);
  const Repeat repeat{Repeat::What::race, now.pc(), started.pc()};
  if (findings_.is_only_counted(repeat)) return;
  Finding finding;
  finding.kind = "race";
  finding.access_bytes = touch.bytes;
  describe_memory(finding, touch.address, touch.kind, shared_);
  const bool in_bulk = started.copies_in_bulk();
  const bool copy_reads = in_bulk && started.copies_out() && touch.is_shared;
  finding.what = std::string(now.copies_in_bulk() ? now.copier_text() : "the kernel") + " " +
                 verb_of(touch.kind) + (touch.is_shared ? " shared" : " global") + " memory that " +
                 (in_bulk ? started.copier_text() : "an asynchronous copy") + " may still be " +
                 (copy_reads ? "reading" : "writing");
  finding.remedy = remedy_of_unfinished(started);
  finding.place.event = event_of(touch.kind);
  const char* const how = started.multiplies()              ? "started by "
                          : started.stores_asynchronously() ? "stored by "
                                                            : "copied to by ";
  Slot thread = copy;
  thread.segment = copy.number();
  finding.others.insert(finding.others.begin(),
                        place_at(started.pc(), how + findings_.earlier_thread_text(thread)));
  findings_.report(std::move(finding), repeat, running_.thread_of(touch.slot.lane));
}

// ---------------------------------------------------------------- what nobody has written

void RaceReports::report_unwritten(const Touch& touch) {
  const CodeSite& site = sites_.of(touch.slot);
  if (findings_.is_unwritten_only_counted(site)) return;
  Finding finding;
  finding.kind = "uninitialised";
  finding.access_bytes = touch.bytes;
  finding.what = std::string("the kernel ") + verb_of(touch.kind) +
                 (touch.is_shared ? " shared" : " global") + " memory that nothing has written";
  finding.remedy = touch.is_shared && order_.clocks_if_any() != nullptr
                       ? "if a copy fills it, wait for the phase of the copy's mbarrier first; "
                         "otherwise let the block write every element before it reads it"
                   : touch.is_shared ? "let the block write every element before it reads it, "
                                       "including those of the last tile that the data do not fill"
                                     : "write it first, with cudaMemcpy, with cudaMemset or in a "
                                       "kernel; the sizes of both calls are in bytes";
  finding.place.event = event_of(touch.kind);
  describe_memory(finding, touch.address, touch.kind, shared_);
  findings_.keep_unwritten(std::move(finding), site, running_.thread_of(touch.slot.lane));
}

}  // namespace emulator::checks
