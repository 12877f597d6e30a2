/// @file
/// What the program of every rung of the SGEMV ladder must do, whatever its kernels.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "test_support.hpp"

namespace course::test {

/// Runs the program with one shape, and with more options if need be: it must report these kernels,
/// in this order, all verified.
inline ProgramRun check_shape(const std::string& program, int rows, int cols,
                              const std::vector<std::string>& kernels,
                              const std::vector<std::string>& more = {}) {
  CAPTURE(rows);
  CAPTURE(cols);
  std::vector<std::string> arguments = {"--rows", std::to_string(rows), "--cols",
                                        std::to_string(cols)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  ProgramRun run = run_chapter(program, arguments);
  CHECK(run.status == 0);
  CHECK(run.err == "");
  REQUIRE(run.report["results"].size() == kernels.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    CHECK(run.report["results"][k]["kernel"] == kernels[k]);
    CHECK(run.report["results"][k]["verified"] == true);
  }
  return run;
}

inline void check_awkward_shapes(const std::string& program,
                                 const std::vector<std::string>& kernels) {
  for (const auto& [rows, cols] : awkward_shapes()) check_shape(program, rows, cols, kernels);
  check_shape(program, 300, 500, kernels, {"--data", "random"});
}

/// What cannot be done is refused in one line, with status 2, and before anything is allocated.
inline void check_refusals(const std::string& program) {
  const auto check_refused = [&](const std::vector<std::string>& arguments,
                                 const std::string& says) {
    course::test::check_refused(program, arguments, says);
  };
  for (const std::string rows : {"0", "-1", "abc", "99999999999999999999", "1e3", ""}) {
    check_refused({"--rows", rows}, "--rows");
  }
  check_refused({"--fast"}, "--fast");
  check_refused({"--size", "2000000000"}, "GiB");
}

/// The report's figures for one kernel, from a run of this shape. Ends the test as skipped where
/// there are no counters to look at.
inline nlohmann::json traffic(const std::string& program, int rows, int cols,
                              const std::string& kernel,
                              const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"--rows", std::to_string(rows), "--cols",
                                        std::to_string(cols)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramRun run = run_chapter(program, arguments);
  needs_emulator(run);
  return row_of(run, kernel);
}

}  // namespace course::test
