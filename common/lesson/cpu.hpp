/// @file
/// The host's processor: what it is called, and timing what runs on it. Its times are real on
/// either backend, as long as the emulator does not watch the code: what is timed is compiled as
/// ordinary C++, in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "timing.hpp"

namespace course {

/// What the system calls the processor, "AMD Ryzen 7 3700X 8-Core Processor"; "CPU" if it does not
/// say.
std::string cpu_model();

/// How many threads run at one time.
int cpu_threads();

/// Runs before(), untimed, and body(), timed: at least `least` times, and until half a second has
/// been timed, but no more than `most` times. One run goes before: it pays for the first use of the
/// memory.
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

/// Times the last argument on the host, having run the first, untimed, before each sample. Gives a
/// course::Timing.
#define TIME_ON_CPU(before, ...) course::time_on_cpu([&] { before; }, [&] { __VA_ARGS__; })

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "cpu.inl"
#endif
