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
/// array that is read, host_out(y, n) for one that is written. Where host code moves what it reads
/// and is not to compute with it, host_in_opaque(c, count) gives it tokens that become numbers on
/// their way to a kernel. The handle of a library is handle(h), and the submission takes one of its
/// own.
///
/// What is to be done by kernels cannot be done by copies: functions of the API that work on arrays
/// of the device are refused, but for cudaMemset() and those that are named,
///
///     COURSE_ALLOWS("cudaMemcpy")
///
/// and count as traffic. Memory that host and device share, pinned or managed, is refused, but for
/// as much as COURSE_SHARES_AT_MOST(bytes) says; the calls themselves are allowed where the
/// exercise enters the build (NEEDS in exercises/CMakeLists.txt). With COURSE_FREES_ITS_MEMORY()
/// device memory that a function has allocated and not freed is a finding when the function
/// returns, and not only at the program's end.
#pragma once

#ifdef COURSE_JUDGE

#include "checks/calls.hpp"

#define COURSE_BOUNDARY(result, name, parameters, ...)                          \
  result name parameters {                                                      \
    return course::boundary::forward<result>(#name __VA_OPT__(, ) __VA_ARGS__); \
  }
#define COURSE_ALLOWS(...)                               \
  [[maybe_unused]] static const bool calls_are_allowed = \
      course::boundary::allow_calls({__VA_ARGS__});
#define COURSE_FREES_ITS_MEMORY()
#define COURSE_SHARES_AT_MOST(bytes)

#else

#include "checks/entries.hpp"

#define COURSE_BOUNDARY(result, name, parameters, ...) \
  result name parameters;                              \
  [[maybe_unused]] static const bool entered_##name = course::boundary::enter(#name, &name);
#define COURSE_ALLOWS(...)
#define COURSE_SHARES_AT_MOST(bytes) \
  [[maybe_unused]] static const bool may_share_memory = course::boundary::share_at_most(bytes);
#define COURSE_FREES_ITS_MEMORY() \
  [[maybe_unused]] static const bool frees_its_memory = course::boundary::want_memory_freed();

#endif
