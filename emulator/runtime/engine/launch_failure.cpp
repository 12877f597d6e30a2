#include "engine/launch_failure.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/words.hpp"
#include "engine/engine.hpp"

// By the name under which it may be written (builtin_variables.cpp).
extern __thread uint3 current_block __asm__("blockIdx");

namespace emulator::engine {
namespace {

// `kernel: what, thread (x,y,z) of block (x,y,z)`, the thread only if there is one.
std::string describe(const char* kernel, const char* what, const Lane* lane) {
  std::string text = kernel;
  text += std::string(": ") + what;
  if (lane != nullptr) {
    const uint3 t = lane->index;
    char where[96];
    std::snprintf(where, sizeof(where), ", thread (%u,%u,%u) of block (%u,%u,%u)", t.x, t.y, t.z,
                  current_block.x, current_block.y, current_block.z);
    text += where;
  }
  return text;
}

}  // namespace

void LaunchFailure::note(const RunningBlock& block, const Lane* lane, const char* what,
                         const char* kind, std::uintptr_t pc) {
  text_ = block.details() != nullptr ? what : describe(block.worker().grid().kernel, what, lane);
  kind_ = kind;
  pc_ = pc;
  thread_ = lane != nullptr ? block.number_of(*lane) : 0;
}

void LaunchFailure::add_other(FindingPlace place) {
  const bool is_known = std::any_of(others_.begin(), others_.end(), [&](const FindingPlace& other) {
    return other.line == place.line;
  });
  if (!is_known) others_.push_back(std::move(place));
}

bool LaunchFailure::is_told(bool was_found) const {
  if (pc_ != 0) return false;
  // If the access that failed was found, that says more than that its address was illegal. A
  // pointer that is not aligned was found before it was used, unless an instruction wants more of
  // it than its type does.
  return kind_ == "misaligned" || (was_found && kind_ == "out-of-bounds");
}

void LaunchFailure::report(const LaunchDetails* details) {
  if (text_.empty()) return;
  if (details == nullptr) {
    std::fflush(stdout);
    std::fprintf(stderr, "emulator: error: %s\n", text_.c_str());
    return;
  }
  Finding finding;
  finding.kind = kind_;
  finding.what = text_;
  finding.remedy = remedy_of(kind_);
  finding.others = std::move(others_);
  // A thread that has not waited for a tile reads what is not there; the consequences are reported
  // after that.
  if (kind_ == "misused-barrier") details->faults.barrier_failed();
  details->faults.found(std::move(finding), pc_, thread_);
}

}  // namespace emulator::engine
