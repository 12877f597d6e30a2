#include "observers/checks/kernels/engine_faults.hpp"

#include "base/source_places.hpp"
#include "base/words.hpp"
#include "observers/checks/kernels/memory_description.hpp"

namespace emulator::checks {

// ---------------------------------------------------------------- barriers and masks

// One line may have become two places in the code.
static bool is_one_line(std::uint64_t pc, std::uint64_t other_pc) {
  const SourcePlace& a = place_of(pc);
  const SourcePlace& b = place_of(other_pc);
  return a.line == b.line && a.file == b.file;
}

void EngineFaults::two_barriers(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                                unsigned other) {
  if (is_one_line(pc, other_pc)) return;
  Finding finding;
  finding.kind = "divergent-barrier";
  finding.what = "threads of one block wait at two different barriers";
  finding.remedy = remedy_of(finding.kind);
  finding.place.event = "reached by ";
  finding.others.push_back(place_at(other_pc, "reached by " + running_.thread_text(other)));
  findings_.report(std::move(finding), pc, thread);
}

void EngineFaults::two_warp_operations(std::uint64_t pc, unsigned thread, std::uint64_t other_pc,
                                       unsigned other) {
  if (is_one_line(pc, other_pc)) return;
  Finding finding;
  finding.kind = "bad-mask";
  finding.severity = Severity::warning;
  finding.what =
      "lanes of one mask take part by two calls, in different branches: CUDA promises a result "
      "only "
      "if all of them execute the same one";
  finding.remedy =
      "let all lanes of the mask execute the same call: take it out of the branches, which then "
      "only choose its argument; or, if each branch is to be by itself, give each its own mask, "
      "made with __ballot_sync() before the branch";
  finding.place.event = "called by ";
  finding.others.push_back(place_at(other_pc, "called by " + running_.thread_text(other)));
  findings_.report(std::move(finding), pc, thread);
}

void EngineFaults::passed_barrier(std::uint64_t pc, unsigned thread, unsigned passed) {
  Finding finding;
  finding.kind = "divergent-barrier";
  finding.what =
      "only part of the block reaches a barrier: " + running_.thread_text(passed) + " went past it";
  finding.remedy = remedy_of(finding.kind);
  finding.place.event = "reached by ";
  findings_.report(std::move(finding), pc, thread);
}

void EngineFaults::wrong_mask(std::string what, std::uint64_t pc, unsigned thread,
                              std::string remedy) {
  Finding finding;
  finding.kind = "bad-mask";
  finding.what = std::move(what);
  finding.remedy = remedy.empty() ? remedy_of(finding.kind) : std::move(remedy);
  finding.place.event = "called by ";
  findings_.report(std::move(finding), pc, thread);
}

// ---------------------------------------------------------------- pointers and shifts

void EngineFaults::misaligned_pointer(std::uint64_t address, unsigned alignment, std::string type,
                                      std::uint64_t pc, bool is_shared, unsigned thread) {
  const Repeat repeat{Repeat::What::alignment, pc};
  if (findings_.is_only_counted(repeat)) return;
  // g++ writes 'const struct float4'.
  std::erase(type, '\'');
  for (const std::string word : {"const ", "volatile ", "struct "}) {
    if (const std::size_t at = type.find(word); at != std::string::npos)
      type.erase(at, word.size());
  }
  Finding finding;
  finding.kind = "misaligned";
  finding.access_bytes = alignment;
  finding.what = "an element of type " + type + " is at an address that is not a multiple of " +
                 std::to_string(alignment);
  finding.remedy = "let elements of type " + type + " start at multiples of " +
                   std::to_string(alignment) +
                   " bytes from the start of the allocation, or access smaller elements one by one";
  finding.place.event = "used by ";
  describe_memory(finding, address, is_shared ? AccessKind::shared_load : AccessKind::global_load,
                  shared_);
  findings_.report(std::move(finding), repeat, thread);
}

void EngineFaults::wide_shift(const std::string& amount, unsigned bits, std::uint64_t pc,
                              unsigned thread) {
  const Repeat repeat{Repeat::What::shift, pc};
  if (findings_.is_only_counted(repeat)) return;
  Finding finding;
  finding.kind = "shift";
  finding.severity = Severity::warning;
  finding.what = "a value of " + std::to_string(bits) + " bits is shifted by " + amount +
                 ": in C++ the result is undefined. In most cases a GPU gives 0 or the sign, and "
                 "the host something else";
  finding.remedy = "shift by 0 to " + std::to_string(bits - 1) +
                   " bits, and say what a larger shift gives: n < " + std::to_string(bits) +
                   " ? x << n : 0";
  finding.place.event = "shifted by ";
  findings_.report(std::move(finding), repeat, thread);
}

// ---------------------------------------------------------------- what a block leaves undone

void EngineFaults::unawaited_copy(std::uint64_t pc, unsigned thread, bool is_store) {
  Finding finding;
  finding.kind = "misused-barrier";
  finding.what =
      std::string("a block ends while ") + (is_store ? "an asynchronous store" : "a bulk copy") +
      " to its shared memory is in flight: nothing has waited for the phase that it belongs to";
  finding.remedy = std::string("wait for the phase of the ") + (is_store ? "store" : "copy") +
                   "'s mbarrier before the kernel ends";
  finding.place.event = is_store ? "stored by " : "copied by ";
  findings_.report(std::move(finding), pc, thread);
}

// Of its wgmma.
void EngineFaults::products_left(const GroupProblem& problem) {
  if (problem.what == GroupProblem::What::none) return;
  Finding finding;
  finding.kind = "misused-barrier";
  finding.place.event = "started by ";
  switch (problem.what) {
    case GroupProblem::What::not_awaited:
      finding.what =
          "a block ends with wgmma products in flight: nothing has waited for their group, and the "
          "accumulators still hold their old values";
      finding.remedy = "execute wgmma.wait_group before the accumulators are read";
      break;
    case GroupProblem::What::not_committed:
      finding.what = "a block ends with wgmma products in no committed group: no wait covers them";
      finding.remedy = "execute wgmma.commit_group after the last wgmma.mma_async of a group";
      break;
    default:
      finding.what =
          "some warps of a warpgroup have started more wgmma products than others: all four must "
          "execute each of them";
      finding.remedy = "let all 128 threads of a warpgroup take the same path";
  }
  findings_.report(std::move(finding), reinterpret_cast<std::uint64_t>(problem.site),
                   problem.thread);
}

}  // namespace emulator::checks
