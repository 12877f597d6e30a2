/// \file
/// What all findings of the checks in kernels have in common, and what is said of barriers and
/// masks. Of memory: checker_memory_reports.cpp; of races: checker_race_reports.cpp.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/extents.hpp"
#include "base/source_places.hpp"
#include "base/words.hpp"
#include "observers/checks/checker.hpp"
#include "observers/checks/checker_reports.hpp"
#include "observers/checks/finding_text.hpp"

namespace emulator::checks {
namespace {

bool reads_only(AccessKind kind) {
  return kind == AccessKind::global_load || kind == AccessKind::shared_load ||
         kind == AccessKind::constant_load || kind == AccessKind::foreign_load;
}

bool is_atomic(AccessKind kind) {
  return kind == AccessKind::global_atomic || kind == AccessKind::shared_atomic;
}

}  // namespace

const char* verb_of(AccessKind kind) {
  return reads_only(kind) ? "reads" : is_atomic(kind) ? "atomically changes" : "writes";
}

const char* event_of(AccessKind kind) {
  return reads_only(kind)  ? "read by "
         : is_atomic(kind) ? "changed by an atomic of "
                           : "written by ";
}

std::uint64_t Checker::sites_pc(std::uint32_t number) const {
  return sites_[number]->pc;
}

dim3 Checker::index_of(unsigned thread) const {
  const dim3& size = launch_.block;
  thread %= threads_of_block();
  return {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
}

std::string Checker::thread_text(unsigned thread) const {
  return checks::thread_text(index_of(thread), block_of(thread));
}

std::string Checker::earlier_thread_text(const Slot& slot) const {
  if (is_copier(slot)) return "an asynchronous copy";
  if (slot.segment >= block_first_) {
    return thread_text(segments_[slot.segment - block_first_].warp * warp_size + slot.lane);
  }
  // Of an earlier block only its number is known.
  const auto after = std::upper_bound(block_firsts_.begin(), block_firsts_.end(), slot.segment);
  const auto begun = static_cast<std::uint64_t>(after - block_firsts_.begin() - 1);
  const std::uint64_t block = turns_.empty() ? begun : turns_[begun];
  const dim3 size = is_of_cluster() ? cluster_shape_ : dim3(1, 1, 1);
  const dim3 grid(launch_.grid.x / size.x, launch_.grid.y / size.y, launch_.grid.z / size.z);
  const uint3 place = place_in(grid, block);
  return std::string("a thread of ") +
         (is_of_cluster() ? "the cluster that begins with block " : "block ") +
         triple({place.x * size.x, place.y * size.y, place.z * size.z});
}

void Checker::complete(Finding& finding, std::uint64_t pc, unsigned thread) const {
  finding.kernel = instance_among(launch_.kernel, place_of(pc).functions);
  if (finding.kernel.empty()) finding.kernel = launch_.kernel;
  finding.place = place_at(pc, finding.place.event + thread_text(thread));
  finding.in_kernel = true;
  finding.block = block_of(thread);
  finding.thread = index_of(thread);
}

FindingId Checker::report(Finding finding, std::uint64_t pc, unsigned thread) {
  complete(finding, pc, thread);
  ++found_;
  return add_finding(std::move(finding));
}

std::size_t Checker::RepeatHash::operator()(const Repeat& repeat) const {
  const std::uint64_t mixed = (repeat.pc * 31 + repeat.other_pc) * 31;
  return std::hash<std::uint64_t>()(mixed + static_cast<std::uint64_t>(repeat.what));
}

// The first ones are described in full: the same two places of the code may be wrong in several
// ways. From then on that would cost more than everything else.
bool Checker::is_only_counted(Repeat::What what, std::uint64_t pc, std::uint64_t other_pc) {
  RepeatCount& repeat = repeats_[{what, pc, other_pc}];
  if (++repeat.times <= most_described || repeat.latest.clearings == 0) return false;
  ++found_;
  count_finding(repeat.latest);
  return true;
}

void Checker::report_repeat(Finding finding, Repeat::What what, std::uint64_t pc,
                            std::uint64_t other_pc, unsigned thread) {
  repeats_[{what, pc, other_pc}].latest = report(std::move(finding), pc, thread);
}

void Checker::two_barriers(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                                  unsigned other) {
  const SourcePlace& a = place_of(pc);
  const SourcePlace& b = place_of(other_pc);
  // One line may have become two places in the code.
  if (a.line == b.line && a.file == b.file) return;
  Finding finding;
  finding.kind = "divergent-barrier";
  finding.what = "threads of one block wait at two different barriers";
  finding.remedy = remedy_of(finding.kind);
  finding.place.event = "reached by ";
  finding.others.push_back(place_at(other_pc, "reached by " + thread_text(other)));
  report(std::move(finding), pc, thread);
}

void Checker::passed_barrier(std::uint64_t pc, unsigned thread, unsigned passed) {
  Finding finding;
  finding.kind = "divergent-barrier";
  finding.what =
      "only a part of the block reaches a barrier: " + thread_text(passed) + " went past it";
  finding.remedy = remedy_of(finding.kind);
  finding.place.event = "reached by ";
  report(std::move(finding), pc, thread);
}

void Checker::wrong_mask(std::string what, std::uint64_t pc, unsigned thread, std::string remedy) {
  Finding finding;
  finding.kind = "bad-mask";
  finding.what = std::move(what);
  finding.remedy = remedy.empty() ? remedy_of(finding.kind) : std::move(remedy);
  finding.place.event = "called by ";
  report(std::move(finding), pc, thread);
}

}  // namespace emulator::checks
