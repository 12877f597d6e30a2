/// @file
/// Kernels that are timed in turns.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "course.hpp"

namespace hopper {

/// On a GPU the rungs are launched in turns, many times over: so none has the better clocks.
/// `verify` is called for each rung while C has its last result.
/// @param rungs each has launch(on.product)
/// @param on    the problem on the device: C, and product
template <class Rung, class OnDevice>
std::vector<course::Timing> time_in_turns(const course::Options& options,
                                          const std::vector<Rung>& rungs, OnDevice& on,
                                          const std::function<void(const Rung&)>& verify) {
  std::vector<course::Timing> timings;
  if (course::on_emulator) {
    for (const Rung& rung : rungs) {
      timings.push_back(TIME_EVENTS(options, on.C.poison(), rung.launch(on.product)));
      verify(rung);
    }
    return timings;
  }
  std::vector<std::vector<double>> milliseconds(rungs.size());
  course::EventTimer timer;
  const int rounds = std::max(options.repeat, course::least_samples);
  for (int round = -course::warm_up_launches; round < rounds; ++round) {
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      on.C.poison();
      timer.start();
      rungs[i].launch(on.product);
      const double elapsed = timer.stop();
      if (round >= 0) milliseconds[i].push_back(elapsed);
      if (round + 1 == rounds) verify(rungs[i]);
    }
  }
  for (const std::vector<double>& samples : milliseconds) {
    timings.push_back(course::summarise(samples));
  }
  return timings;
}

}  // namespace hopper
