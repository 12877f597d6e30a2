#pragma once
/// \file
/// Time slices for code that is not instrumented. There a thread that polls a flag calls nothing
/// of the runtime's, so nobody else of its host thread would ever run. A timer looks every other
/// millisecond; a thread that it meets twice in a row has to let the others go on. Not while it is
/// in a function of the runtime's, though: no function has to mind that it may lose its turn where
/// it does not wait.

#include <cstdint>

#include "base/rooms.hpp"

namespace emulator::engine {

/// While one lives, the CUDA threads that the calling host thread runs get slices of time.
class TimeSlices {
 public:
  /// \param wanted false for none: instrumented code is interrupted where that is recorded
  explicit TimeSlices(bool wanted);
  ~TimeSlices();
  TimeSlices(const TimeSlices&) = delete;
  TimeSlices& operator=(const TimeSlices&) = delete;

 private:
  bool wanted_;
};

/// Kernels are also between these addresses: a module has been loaded there, for good. Not for
/// several host threads at once.
void add_module(const char* begin, const char* end, bool instrumented);

/// Whether the code is a module's that is not instrumented, whatever the program is.
bool is_in_fast_module(std::uintptr_t code);

/// Whether a thread has lost the processor by the timer, or given it up, since the last call, on
/// this host thread.
bool slice_has_ended();

/// The thread that has its turn gives it up: it waits for another one.
void end_slice();

}  // namespace emulator::engine
