/// \file
/// When work would run: small programs, placed by hand.

#include "observers/timeline/step_model.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace emulator::timeline;

namespace emulator::timeline {

// For messages.
inline doctest::String toString(const Span& span) {
  return ("[" + std::to_string(span.begin) + ", " + std::to_string(span.end) + ")").c_str();
}
inline bool operator==(const Span& a, const Span& b) {
  return a.begin == b.begin && a.end == b.end;
}

}  // namespace emulator::timeline

TEST_CASE("timeline: the host issues a piece a step, and kernels run side by side") {
  StepModel model;
  model.issue(0, Engine::none, 10, {});
  model.issue(0, Engine::none, 10, {});
  const StepModel::Placed placed = model.place();
  CHECK(placed.calls[0] == Span{0, 1});
  CHECK(placed.calls[1] == Span{1, 2});
  CHECK(placed.pieces[0] == Span{1, 11});
  CHECK(placed.pieces[1] == Span{2, 12});
}

TEST_CASE("timeline: one call may issue several pieces, and takes one step") {
  StepModel model;
  const auto first = model.issue(0, Engine::none, 10, {});
  model.issue(0, Engine::none, 10, {}, /*is_of_last_call=*/true);
  model.issue(0, Engine::none, 10, {first}, /*is_of_last_call=*/true);
  model.issue(0, Engine::none, 10, {});
  const StepModel::Placed placed = model.place();
  CHECK(placed.pieces[0] == Span{1, 11});
  CHECK(placed.calls[1] == Span{1, 1});
  CHECK(placed.pieces[1] == Span{1, 11});
  CHECK(placed.pieces[2] == Span{11, 21});
  CHECK(placed.calls[3] == Span{1, 2});
}

TEST_CASE("timeline: a piece begins when the last that it waits for has ended") {
  StepModel model;
  const auto a = model.issue(0, Engine::none, 10, {});
  const auto b = model.issue(0, Engine::none, 20, {});
  const auto mark = model.issue(0, Engine::none, 0, {a, b});
  const auto c = model.issue(0, Engine::none, 5, {mark});
  const StepModel::Placed placed = model.place();
  CHECK(placed.pieces[mark] == Span{22, 22});
  CHECK(placed.pieces[c] == Span{22, 27});
}

TEST_CASE("timeline: an engine does one piece at a time, each direction has its own") {
  StepModel model;
  model.issue(0, Engine::copies_to_device, 10, {});
  model.issue(0, Engine::copies_to_device, 10, {});
  model.issue(0, Engine::copies_to_host, 10, {});
  const StepModel::Placed placed = model.place();
  CHECK(placed.pieces[0] == Span{1, 11});
  CHECK(placed.pieces[1] == Span{11, 21});
  CHECK(placed.pieces[2] == Span{3, 13});
}

TEST_CASE("timeline: an engine takes what is ready, and of that what was issued first") {
  StepModel model;
  const auto kernel = model.issue(0, Engine::none, 10, {});
  const auto after_it = model.issue(0, Engine::copies_to_host, 10, {kernel});
  const auto at_once = model.issue(0, Engine::copies_to_host, 20, {});
  const auto third = model.issue(0, Engine::copies_to_host, 10, {});
  const StepModel::Placed placed = model.place();
  CHECK(placed.pieces[at_once] == Span{3, 23});  // not after what cannot begin
  CHECK(placed.pieces[after_it] == Span{23, 33});
  CHECK(placed.pieces[third] == Span{33, 43});
}

TEST_CASE("timeline: a host thread that waits issues nothing, and others go on") {
  StepModel model;
  const auto a = model.issue(0, Engine::none, 10, {});
  const auto wait = model.wait(0, {a});
  const auto again = model.wait(0, {a});
  const auto busy = model.busy(0, 3);
  const auto b = model.issue(0, Engine::none, 10, {});
  const auto other = model.issue(1, Engine::none, 10, {});
  const StepModel::Placed placed = model.place();
  CHECK(placed.waits[wait] == Span{1, 11});
  CHECK(placed.waits[again] == Span{11, 11});
  CHECK(placed.busy[busy] == Span{11, 14});
  CHECK(placed.calls[b] == Span{14, 15});
  CHECK(placed.pieces[b] == Span{15, 25});
  CHECK(placed.calls[other] == Span{0, 1});
}

TEST_CASE("timeline: a wait for work that another thread has not reached yet is a wait") {
  StepModel model;
  const auto late = model.wait(0, {});
  model.busy(1, 50);
  const auto a = model.issue(1, Engine::none, 10, {});
  const auto wait = model.wait(0, {a});
  const StepModel::Placed placed = model.place();
  CHECK(placed.waits[late] == Span{0, 0});
  CHECK(placed.waits[wait] == Span{0, 61});
}
