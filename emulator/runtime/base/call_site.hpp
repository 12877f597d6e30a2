#pragma once
/// \file
/// Which line of the program's host code made a call of the API, or a launch.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/rooms.hpp"
#include "base/source_places.hpp"
#include "emulator/findings.h"

namespace emulator::base {

/// Return addresses of the calls in progress, innermost first; the rest is 0. Cheap to take and to
/// keep: what lines they stand for is worked out only when somebody wants to know.
struct CallStack {
  std::array<std::uint64_t, 24> pcs{};

  bool empty() const { return pcs[0] == 0; }
};

/// The calls in progress in this thread; empty while the checks are off.
CallStack call_stack();

/// While one lives, this thread does work that was asked for elsewhere, and call_stack() is the
/// stack of that call.
class CalledFrom {
 public:
  explicit CalledFrom(const CallStack& stack);
  ~CalledFrom();
  CalledFrom(const CalledFrom&) = delete;
  CalledFrom& operator=(const CalledFrom&) = delete;
};

/// The program's own lines among those of a stack, innermost first, at most `most`: not those of
/// the emulator, of the standard library and of the system's headers. A wrapper of the API counts
/// as the program's.
std::vector<SourceLine> lines_of(const CallStack& stack, std::size_t most);

/// The line of the program's code that the running call comes from; line 0 if nothing is known.
SourcePlace call_site();

/// Makes that line the guilty one of a finding. The line that called its function, if there is one,
/// follows, since wrappers are called from many places.
void set_place(Finding& finding, const CallStack& stack, const std::string& event);

/// Adds that line and its caller to the others that take part in a finding. An empty stack adds
/// nothing.
void add_other(Finding& finding, const CallStack& stack, const std::string& event);

}  // namespace emulator::base
