/// @file
/// What the program of every rung of the SGEMV ladder must do, whatever its kernels.
#pragma once

#include <string>
#include <vector>

#include "testing/chapter_run.hpp"

namespace course::testing {

/// Runs the program with one shape, and with more options if need be: it must report these kernels,
/// in this order, all verified.
ProgramRun check_shape(const std::string& program, int rows, int cols,
                       const std::vector<std::string>& kernels,
                       const std::vector<std::string>& more = {});

void check_awkward_shapes(const std::string& program, const std::vector<std::string>& kernels);

/// What cannot be done is refused in one line, with status 2, and before anything is allocated.
void check_refusals(const std::string& program);

/// The report's figures for one kernel, from a run of this shape. Programs are run once for all
/// their kernels. Ends the test as skipped where there are no counters to look at.
JsonValue traffic(const std::string& program, int rows, int cols, const std::string& kernel,
                  const std::vector<std::string>& more = {});

}  // namespace course::testing
