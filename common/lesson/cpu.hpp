/// @file
/// The host's processor: its name, and timing of code that runs on it. Its times are real on either
/// backend, as long as the emulator does not instrument the code: timed code is compiled as
/// ordinary C++, in a separate file.
#pragma once

#include <string>
#include <vector>

#include "timing.hpp"

namespace course {

/// The system's name for the processor, "AMD Ryzen 7 3700X 8-Core Processor"; "CPU" if it has
/// none.
std::string cpu_model();

/// How many threads run at the same time.
int cpu_threads();

/// Runs before(), untimed, and body(), timed: at least `least` times, and until half a second has
/// been timed, but at most `most` times. One untimed run comes first: it pays for the first use of
/// the memory.
template <class Before, class Body>
Timing time_on_cpu(Before before, Body body, int least = 3, int most = 100) {
  HostTimer timer;
  std::vector<double> milliseconds;
  double total = 0.0;
  for (int run = -1; run < least || (run < most && total < 500.0); ++run) {
    before();
    timer.start();
    body();
    const double elapsed = timer.stop();
    if (run < 0) continue;
    milliseconds.push_back(elapsed);
    total += elapsed;
  }
  return summarise(milliseconds);
}

}  // namespace course

/// Times the last argument on the host, after running the first, untimed, before each sample.
/// Returns a course::Timing.
#define TIME_ON_CPU(before, ...) course::time_on_cpu([&] { before; }, [&] { __VA_ARGS__; })

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "cpu.inl"
#endif
