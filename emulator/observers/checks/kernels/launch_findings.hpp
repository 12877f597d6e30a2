#pragma once
/// \file
/// The findings of a launch: what all have in common is filled in, and what is found again and
/// again is described some times and then counted.

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/call_site.hpp"
#include "base/rooms.hpp"
#include "events/findings.hpp"
#include "observers/checks/happens_before/happens_before.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/shadow.hpp"

namespace emulator::checks {

/// One of the things that are found once an access, and so up to millions of times.
struct Repeat {
  enum class What : std::uint8_t {
    bounds,
    outside,
    alignment,
    shift,
    race,
    harmless_race,
    fence,
    undrawn,
    read_only
  };
  What what;
  std::uint64_t pc;
  std::uint64_t other_pc = 0;
  bool operator==(const Repeat&) const = default;
};

/// Makes the findings of the launches of one worker. Threads are given by their numbers.
class LaunchFindings {
 public:
  LaunchFindings(const RunningBlock& running, const HappensBefore& order)
      : running_(running), order_(order) {}

  void begin_launch();

  /// Fills in kernel, place, block and thread; `place.event` is there already.
  FindingId report(Finding finding, std::uint64_t pc, unsigned thread);

  /// Whether this has been described often enough: then it is only counted.
  bool is_only_counted(const Repeat& repeat);
  FindingId report(Finding finding, const Repeat& repeat, unsigned thread);

  /// The same for reads, at that place, of memory that nothing has written. They are reported at
  /// the end of the launch: another thread may have been about to write, which is a race, and
  /// likelier.
  bool is_unwritten_only_counted(const CodeSite& site);
  void keep_unwritten(Finding finding, const CodeSite& site, unsigned thread);
  /// Tells of them now.
  void tell_unwritten();

  /// How many findings there have been.
  std::uint64_t count() const { return count_; }

  /// Adds the place of an earlier access to the others of a finding, in front of those.
  static void add_earlier(Finding& finding, std::uint64_t pc, const std::string& event);

  /// What made an access: a thread of this block or of another, or a copy.
  std::string earlier_thread_text(const Slot& slot) const;

 private:
  struct RepeatHash {
    std::size_t operator()(const Repeat& repeat) const;
  };
  struct RepeatCount {
    std::uint64_t times = 0;
    FindingId latest;
  };
  struct Unwritten {
    const CodeSite* site = nullptr;
    std::vector<Finding> described{};
    std::uint64_t more = 0;
  };
  Unwritten& unwritten_at(const CodeSite& site);
  void complete(Finding& finding, std::uint64_t pc, unsigned thread) const;
  void put_place(Finding& finding, std::uint64_t pc) const;

  const RunningBlock& running_;
  const HappensBefore& order_;
  std::uint64_t count_ = 0;
  std::unordered_map<Repeat, RepeatCount, RepeatHash> repeats_;  // of this launch
  std::vector<Unwritten> unwritten_;                             // likewise
  CallStack launched_at_;
};

}  // namespace emulator::checks
