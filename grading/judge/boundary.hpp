/// @file
/// The boundary at which a submission is cut off from its checks when it is graded.
///
/// An exercise's boundary.cpp names the functions that the student writes, and is compiled twice.
/// In the judge it defines them: what the checks call is sent to the submission's process. There it
/// enters the student's functions in the list of those that can be called.
///
///     COURSE_BOUNDARY(void, launch_sum, (const float* x, float* sum, int n), x, sum, n)
///
/// Numbers travel as they are, pointers to device memory with all of the allocation that they point
/// into. A pointer to the host's memory has to say how much there is: host_in(c, count) for an
/// array that is read, host_out(y, n) for one that is written; the handle of a library is
/// handle(h), and the submission takes one of its own.
#pragma once

#ifdef COURSE_JUDGE

#include "judge/forward.hpp"

#define COURSE_BOUNDARY(result, name, parameters, ...)           \
  result name parameters {                                       \
    return course::grading::forward<result>(#name, __VA_ARGS__); \
  }

#else

#include "judge/dispatch.hpp"

#define COURSE_BOUNDARY(result, name, parameters, ...) \
  result name parameters;                              \
  [[maybe_unused]] static const bool entered_##name = course::grading::enter(#name, &name);

#endif
