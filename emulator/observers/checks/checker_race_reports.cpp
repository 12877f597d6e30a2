/// \file
/// What the checks say of races, and how to mend each.

#include <string>
#include <utility>

#include "observers/checks/checker.hpp"
#include "observers/checks/checker_reports.hpp"

namespace emulator::checks {

// Whether two places of the code are the two halves of an update such as ++x[i]: one reads and the
// other writes what has just been read. (x[i] += x[j] reads at two places, and at one of them it is
// something else than what is written.)
bool Checker::is_update(const SiteState& one, const SiteState& other) const {
  bool meet = false;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (one.first[lane] == 0 || other.first[lane] == 0) continue;
    if (one.first[lane] != other.first[lane]) return false;
    meet = true;
  }
  return meet;
}

std::string Checker::remedy_of_race(const Touch& touch, const Slot& earlier,
                                    bool earlier_writes) const {
  const bool both_write = touch.writes && earlier_writes;
  const bool same_block = earlier.segment >= block_first_;
  const bool same_warp = same_block && segments_[earlier.segment - block_first_].warp == warp_;
  if (!both_write && is_update(*sites_[touch.slot.site], *sites_[earlier.site])) {
    return "use an atomic such as atomicAdd(): an update reads, changes and writes back, and "
           "another "
           "thread can come in between";
  }
  if (same_warp && both_write && earlier.segment == touch.slot.segment &&
      earlier.site == touch.slot.site) {
    return "let only one thread write it, or use an atomic";
  }
  if (same_warp && warps_.size() == 1) {
    return "put __syncwarp() between the two, with a mask that names every lane that takes part";
  }
  if (same_warp) {
    return "put __syncthreads() between the two, where every thread of the block reaches it; "
           "__syncwarp() is enough if no other warp uses this memory";
  }
  if (same_block &&
      segments_[earlier.segment - block_first_].warp / (threads_of_block() / warp_size) !=
          warp_ / (threads_of_block() / warp_size)) {
    return "put the barrier of the cluster between the two (cluster.sync()), or have the other "
           "block "
           "arrive at an mbarrier that this one waits for";
  }
  if (same_block) {
    return "put __syncthreads() between the two, where every thread of the block reaches it";
  }
  return "blocks do not wait for each other: let each block write its own elements, or do the "
         "second "
         "step in a second kernel, or use atomics, or hand the data on with __threadfence() and an "
         "atomic";
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

}  // namespace

void Checker::report_race(const Touch& touch, const Slot& earlier, bool earlier_writes,
                          bool same_value) {
  if (earlier.is_unfinished()) {
    report_unfinished(touch, earlier);
    return;
  }
  const std::uint64_t earlier_pc = sites_pc(earlier.site);
  const std::uint64_t pc = sites_pc(touch.slot.site);
  const auto what = same_value ? Repeat::What::harmless_race : Repeat::What::race;
  if (is_only_counted(what, pc, earlier_pc)) return;
  const bool same_block = earlier.segment >= block_first_;
  const bool same_warp = same_block && segments_[earlier.segment - block_first_].warp == warp_;
  // The checks look at the blocks of a cluster together.
  const bool is_same_block =
      same_block && !is_copier(earlier) &&
      segments_[earlier.segment - block_first_].warp * warp_size / threads_of_block() ==
          warp_ * warp_size / threads_of_block();
  const bool same_step = same_warp && earlier.segment == touch.slot.segment &&
                         earlier.site == touch.slot.site && earlier_writes && touch.writes;
  Finding finding;
  finding.kind = "race";
  finding.access_bytes = touch.bytes;
  describe_memory(finding, touch.address, touch.kind);
  finding.what =
      meeting(same_step, same_warp, is_same_block, touch.writes && earlier_writes, touch.writes,
              touch.is_shared ? "word of shared memory" : "word of global memory");
  sites_[touch.slot.site]->races = sites_[earlier.site]->races = true;
  finding.remedy = remedy_of_race(touch, earlier, earlier_writes);
  if (is_copier(earlier)) {
    finding.what = std::string("the kernel ") + verb_of(touch.kind) +
                   " shared memory that an asynchronous copy has written, and this thread has not "
                   "waited for it";
    finding.remedy =
        "let every thread that uses the tile wait for the phase of its mbarrier first, "
        "with the parity that belongs to this round; or have one wait, and a barrier after it";
  }
  if (sites_[touch.slot.site]->copies_in_bulk) {
    finding.what = std::string(copier_text(*sites_[touch.slot.site])) + " " + verb_of(touch.kind) +
                   " memory that " +
                   (is_same_block ? "another thread of its block " : "a thread of another block ") +
                   (earlier_writes ? "has written" : "has read") + ", and nothing orders the two";
    finding.remedy =
        sites_[touch.slot.site]->stores
            ? "wait before the store until all have done with what is there: at the barrier of the "
              "cluster, or for a phase of an mbarrier at which every reader arrives behind its "
              "last "
              "read"
        : touch.writes
            ? "wait before the copy until all have done with the tile: for a phase of an "
              "mbarrier at which every reader arrives behind its last read, or at "
              "__syncthreads()"
            : "put a barrier between the writes and the copy, with fence_proxy_async() "
              "before it";
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
                        place_at(earlier_pc, how + earlier_thread_text(earlier)));
  report_repeat(std::move(finding), what, pc, earlier_pc, warp_ * warp_size + touch.slot.lane);
}

}  // namespace emulator::checks
