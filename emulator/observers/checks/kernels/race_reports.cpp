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

// Blocks that tell each other by a flag; null if they do not.
const char* RaceReports::remedy_of_flag(const Touch& touch, const Slot& earlier,
                                        bool earlier_writes) const {
  const bool is_strong = touch.slot.is_atomic != 0 || touch.slot.is_volatile != 0;
  const bool earlier_is_strong = earlier.is_atomic != 0 || earlier.is_volatile != 0;
  if (is_strong != earlier_is_strong && earlier_writes != touch.writes) {
    return "one side is an ordinary access, which the compiler may keep in a register: let both be "
           "atomic, as by cuda::atomic_ref with load() and store(), or volatile";
  }
  if (!earlier_writes || touch.writes) return nullptr;
  switch (order_.heard_from(earlier)) {
    case HappensBefore::Heard::flag:
      return "the flag is raised, but nothing makes the data visible before it: store the flag "
             "with "
             "cuda::memory_order_release and load it with cuda::memory_order_acquire, or put "
             "__threadfence() between data and flag on both sides";
    case HappensBefore::Heard::flag_after_fence:
      return "the flag is raised before this is written: a release, or a fence, covers only what "
             "its "
             "thread has done before; write the data first, then raise the flag";
    case HappensBefore::Heard::nothing:
      break;
  }
  return nullptr;
}

namespace {

// Both accesses are a library's: the program has handed the same memory to two calls.
const char* remedy_in_library(bool in_shared_memory) {
  if (in_shared_memory) {
    return "put __syncthreads() between two calls that work in this memory, or __syncwarp() if it "
           "is one warp's; or give each call memory of its own";
  }
  return "give each thread an element of its own, as in an array with one for each thread: the "
         "library's function changes what it is given, which no atomic makes safe";
}

}  // namespace

// Of an update more is known once the launch has ended (tell_updates).
std::string RaceReports::remedy_of_race(const Touch& touch, const Slot& earlier,
                                        bool earlier_writes) const {
  const bool both_write = touch.writes && earlier_writes;
  if (touch.is_update) {
    return "use an atomic such as atomicAdd(): the load and the store both happen, but another "
           "thread can intervene between them";
  }
  const auto is_strong = [](const Slot& slot) {
    return slot.is_atomic != 0 || slot.is_volatile != 0;
  };
  if (is_strong(touch.slot) && is_strong(earlier) &&
      sites_.of(touch.slot).splits(sites_.of(earlier))) {
    return "access all of it at once on both sides: between accesses to its parts another thread "
           "can find one part new and the other old";
  }
  const Nearness near = nearness_of(earlier);
  if (!near.same_cluster) {
    if (const char* const remedy = remedy_of_flag(touch, earlier, earlier_writes)) return remedy;
  }
  const CodeSite& writer = sites_.of(touch.writes ? touch.slot : earlier);
  if (writer.is_of_library() && sites_.of(touch.writes ? earlier : touch.slot).is_of_library()) {
    return remedy_in_library(touch.is_shared && near.same_block);
  }
  const bool same_step = near.same_warp && both_write && earlier.segment == touch.slot.segment &&
                         earlier.site == touch.slot.site;
  if (same_step || (near.same_cluster && writer.writes_a_word_twice())) {
    return "if it is one value for all, let only one thread write it, or use an atomic such as "
           "atomicAdd(); if each thread has a value of its own, give it an element of its own";
  }
  // Of global memory the other blocks' elements are next to this one's.
  const dim3& grid = running_.launch().grid;
  const std::string others = touch.is_shared || grid.x * grid.y * grid.z == 1
                                 ? ""
                                 : "; if other blocks also use these elements, write into a second "
                                   "array, or do the second step in a second kernel";
  if (near.same_warp && order_.segments().warps() == 1) {
    return "put __syncwarp() between the two, with a mask that names every lane that takes part" +
           others;
  }
  if (near.same_warp) {
    return "put __syncthreads() between the two, where every thread of the block reaches it; "
           "__syncwarp() is enough if no other warp uses this memory" +
           others;
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
    return "put __syncthreads() between the two, where every thread of the block reaches it" +
           others;
  }
  return "blocks do not wait for each other: let each block write its own elements, or do the "
         "second step in a second kernel, or use atomics, or pass the data on with __threadfence() "
         "and an atomic";
}

namespace {

// Which two threads meet at the word, and what each does there.
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

// CUB's blocks compact an array in place: one reads its tile, and then hands on how much it keeps,
// with no fence. As that depends on all that was read, the next one may write there. In a program
// nobody knows whether it does.
bool RaceReports::is_read_before_told(const CodeSite& site, const CodeSite& earlier_site,
                                      const Slot& earlier) const {
  return order_.has_heard_since(earlier) && site.is_of_library() && earlier_site.is_of_library();
}

void RaceReports::report_race(const Touch& touch, const Slot& earlier, bool earlier_writes,
                              bool same_value) {
  if (earlier.is_unfinished()) {
    report_unfinished(touch, earlier);
    return;
  }
  CodeSite& earlier_site = sites_.of(earlier);
  CodeSite& site = sites_.of(touch.slot);
  if (!earlier_writes && is_read_before_told(site, earlier_site, earlier)) return;
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
  findings_.add_earlier(finding, earlier_site.pc(), how + findings_.earlier_thread_text(earlier));
  const FindingId id =
      findings_.report(std::move(finding), repeat, running_.thread_of(touch.slot.lane));
  if (!is_copier && !site.copies_in_bulk())
    note_possible_update(id, touch, earlier, earlier_writes);
}

// ---------------------------------------------------------------- updates

// An atomic mends a race if both threads read the word, change it and write it back. Whether the
// one that reads would have written is known only later.
void RaceReports::note_possible_update(FindingId id, const Touch& touch, const Slot& earlier,
                                       bool earlier_writes) {
  if (touch.is_update) return;
  if (!nearness_of(earlier).same_cluster && remedy_of_flag(touch, earlier, earlier_writes)) return;
  const CodeSite& now = sites_.of(touch.slot);
  const CodeSite& before = sites_.of(earlier);
  if (now.is_of_library() || before.is_of_library()) return;
  possible_updates_.push_back({id, {&now, touch.writes}, {&before, earlier_writes}});
}

void RaceReports::tell_updates() {
  const auto is_of_update = [&](const PossibleUpdate::Half& half) {
    return half.writes ? sites_.is_update(*half.site) : sites_.is_read_to_update(*half.site);
  };
  for (const PossibleUpdate& one : possible_updates_) {
    if (!is_of_update(one.now) || !is_of_update(one.earlier)) continue;
    change_remedy(one.id,
                  "if it is one value for all, use an atomic such as atomicAdd(): an update reads, "
                  "changes and writes back, and another thread can intervene; if each thread has a "
                  "value of its own, give it an element of its own");
  }
  possible_updates_.clear();
}

// ---------------------------------------------------------------- copies that go on

namespace {

// What has to be waited for before any thread that is not part of the copy comes by.
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
  findings_.add_earlier(finding, started.pc(), how + findings_.earlier_thread_text(thread));
  findings_.report(std::move(finding), repeat, running_.thread_of(touch.slot.lane));
}

// ---------------------------------------------------------------- who may wait for whom

void RaceReports::report_undrawn(const Touch& touch, const Slot& earlier, std::uint64_t pc) {
  // CUB's blocks take blockIdx for their order, which is NVIDIA's to know.
  if (running_.runs_beside_all() || sites_.of(touch.slot).is_of_library()) return;
  const Repeat repeat{Repeat::What::undrawn, pc};
  if (findings_.is_only_counted(repeat)) return;
  Finding finding;
  finding.kind = "unordered";
  finding.severity = Severity::warning;
  finding.what =
      "a block waits for what another one tells it, and CUDA does not say in which order blocks "
      "begin: while one waits for another that finds no room, neither ends";
  finding.remedy =
      "let each block draw its number with atomicAdd() on a counter, instead of taking blockIdx: "
      "all smaller numbers are then of blocks that have begun; or launch the kernel with "
      "cudaLaunchCooperativeKernel(), which refuses more blocks than fit";
  finding.place.event = "read by ";
  findings_.add_earlier(finding, sites_.of(earlier).pc(),
                        "written by " + findings_.earlier_thread_text(earlier));
  findings_.report(std::move(finding), repeat, running_.thread_of(touch.slot.lane));
}

// ---------------------------------------------------------------- the read-only cache

void RaceReports::report_read_only(const Slot& now, std::uint64_t address, const Slot& written) {
  const CodeSite& site = sites_.of(now);
  const CodeSite& writer = sites_.of(written);
  if (site.is_of_library()) return;
  const Repeat repeat{Repeat::What::read_only, site.pc(), writer.pc()};
  if (findings_.is_only_counted(repeat)) return;
  Finding finding;
  finding.kind = "race";
  finding.what =
      "the kernel reads by __ldg() what it has written: such a load may find the old value in a "
      "cache, whatever barrier or fence comes before it";
  finding.remedy =
      "read it by an ordinary load, without __ldg(), after a barrier; or do the second step in a "
      "second kernel";
  finding.place.event = "read by ";
  finding.access_bytes = 1;
  describe_memory(finding, address, AccessKind::global_load, shared_);
  findings_.add_earlier(finding, writer.pc(),
                        "written by " + findings_.earlier_thread_text(written));
  findings_.report(std::move(finding), repeat, running_.thread_of(now.lane));
}

// ---------------------------------------------------------------- what nobody has written

// What a library reads of its scratch memory it need not use: CUB's merges read an element past
// each of their lists.
void RaceReports::report_unwritten(const Touch& touch) {
  const CodeSite& site = sites_.of(touch.slot);
  if (touch.is_shared && site.is_of_library()) return;
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
                                       "kernel (the sizes of both calls are in bytes); if work in "
                                       "another stream or branch of a graph does, wait for that: "
                                       "cudaStreamWaitEvent()";
  finding.place.event = event_of(touch.kind);
  describe_memory(finding, touch.address, touch.kind, shared_);
  findings_.keep_unwritten(std::move(finding), site, running_.thread_of(touch.slot.lane));
}

}  // namespace emulator::checks
