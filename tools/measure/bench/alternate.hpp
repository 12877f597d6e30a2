/// @file
/// Timing two things against each other: A B A B …, each by its own pair of events. What drifts
/// in the course of a measurement (clocks, temperature) then drifts for both.
#pragma once

#include <functional>
#include <vector>

#include "timing.hpp"

namespace course::measure {

/// One of the two.
struct TimedLaunch {
  std::function<void()> before;  ///< untimed, before each sample
  std::function<void()> body;    ///< what is timed
};

/// How long to go on: until both are reached.
struct SamplePlan {
  int samples = 100;            ///< of each contender
  double milliseconds = 200.0;  ///< of the host's clock: long enough to watch the clocks meanwhile
};

/// What was measured of each.
struct Alternation {
  Timing first;
  Timing second;
};

/// One sample of one launch, in the timer's milliseconds.
template <class Timer>
double sample(Timer& timer, const TimedLaunch& timed) {
  timed.before();
  timer.start();
  timed.body();
  return timer.stop();
}

/// Times both alternately, after a few untimed rounds.
/// @param timer has start() and stop(), which gives milliseconds
/// @param warmed_up called once, after the untimed rounds
/// @param elapsed_ms the host's milliseconds since warmed_up was called
template <class Timer>
Alternation time_alternately(Timer& timer, const TimedLaunch& first, const TimedLaunch& second,
                             const SamplePlan& plan, const std::function<void()>& warmed_up,
                             const std::function<double()>& elapsed_ms) {
  for (int i = 0; i < warm_up_launches; ++i) {
    sample(timer, first);
    sample(timer, second);
  }
  warmed_up();
  std::vector<double> of_first;
  std::vector<double> of_second;
  for (int i = 0; i < plan.samples || elapsed_ms() < plan.milliseconds; ++i) {
    of_first.push_back(sample(timer, first));
    of_second.push_back(sample(timer, second));
  }
  return {summarise(of_first), summarise(of_second)};
}

/// The same for one alone.
template <class Timer>
Timing time_alone(Timer& timer, const TimedLaunch& timed, const SamplePlan& plan,
                  const std::function<void()>& warmed_up,
                  const std::function<double()>& elapsed_ms) {
  std::vector<double> samples;
  for (int i = 0; i < warm_up_launches; ++i) sample(timer, timed);
  warmed_up();
  for (int i = 0; i < plan.samples || elapsed_ms() < plan.milliseconds; ++i) {
    samples.push_back(sample(timer, timed));
  }
  return summarise(samples);
}

}  // namespace course::measure
