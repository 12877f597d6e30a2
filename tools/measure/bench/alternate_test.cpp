#include "bench/alternate.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace course::measure;

namespace {

/// Writes down what happens, and says that each sample took a millisecond more than the last.
struct FakeTimer {
  std::string& log;
  double milliseconds = 0;
  void start() { log += '['; }
  double stop() {
    log += ']';
    return milliseconds += 1;
  }
};

struct RecordedCalls {
  std::string log;
  FakeTimer timer{log};
  TimedLaunch a{[this] { log += 'p'; }, [this] { log += 'A'; }};
  TimedLaunch b{[this] { log += 'q'; }, [this] { log += 'B'; }};
  double clock = 0;
  std::function<void()> warmed_up = [this] { log += '|'; };
  std::function<double()> elapsed = [this] { return clock += 10; };
};

std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace

TEST_CASE("two contenders take turns, and what precedes a sample is not timed") {
  RecordedCalls s;
  const Alternation timings = time_alternately(s.timer, s.a, s.b, {20, 0}, s.warmed_up, s.elapsed);
  CHECK(s.log == times(3, "p[A]q[B]") + "|" + times(20, "p[A]q[B]"));
  CHECK(timings.first.samples == 20);
  CHECK(timings.second.samples == 20);
  // The six untimed samples are not among them: A has 7, 9, … 45, B 8, 10, … 46.
  CHECK(timings.first.median_ms == doctest::Approx(26));
  CHECK(timings.second.median_ms == doctest::Approx(27));
  CHECK(timings.first.p10_ms == doctest::Approx(7 + 0.1 * 38));
  CHECK(timings.first.p90_ms == doctest::Approx(7 + 0.9 * 38));
}

TEST_CASE("sampling goes on until there was time to watch the clocks") {
  RecordedCalls s;
  const Alternation timings = time_alternately(s.timer, s.a, s.b, {2, 75}, s.warmed_up, s.elapsed);
  CHECK(timings.first.samples == 9);  // the clock is asked from the third round on: 10, …, 70, 80
  CHECK(timings.second.samples == 9);
}

TEST_CASE("one alone is timed the same way") {
  RecordedCalls s;
  const course::Timing timing = time_alone(s.timer, s.a, {5, 0}, s.warmed_up, s.elapsed);
  CHECK(s.log == "p[A]p[A]p[A]|p[A]p[A]p[A]p[A]p[A]");
  CHECK(timing.samples == 5);
  CHECK(timing.median_ms == doctest::Approx(6));
}
