/// @file
/// What the checks of an exercise are made of.
///
/// An exercise's check.cpp is a doctest program. Its cases are named by what they ask for,
/// `correct: …`, `safe: …` or `efficient: …`, and each makes sure of the result, so that none
/// passes with a kernel that was never launched:
///
///     TEST_CASE("efficient: every element is loaded once") {
///       const Problem problem(256, 256);
///       const exercise::Run run = exercise::run([&] { problem.launch(); });
///       exercise::expect_exact(problem.result(), problem.expected, "n = 256");
///       exercise::expect_at_most(run, {.counter = exercise::Counter::global_load_sectors, ...});
///     }
///
/// A case ends at its first failure. On the emulator its checks (EMULATOR_CHECK) are on throughout.
#pragma once

#include "checks/expectations.hpp"

#ifdef COURSE_EXERCISE
namespace course::exercise::detail {

/// On the emulator a shared array is a thread-local variable. Behind a student's come these bytes,
/// so that running past its end is reported, and spoils nothing of the program's.
[[gnu::used]] inline thread_local char behind_shared_arrays[1 << 15];

[[maybe_unused]] inline const bool exercise_is_set =
    set_exercise(COURSE_EXERCISE, COURSE_EXERCISE_FILE);

}  // namespace course::exercise::detail
#endif
