/// @file
/// Building with progress on the screen and everything else in a log.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/checkout.hpp"
#include "host/progress.hpp"

namespace course::tool {

/// How a build went.
struct BuildOutcome {
  bool ok = false;
  std::filesystem::path log;        ///< everything that was printed
  std::vector<std::string> errors;  ///< what matters of it if it failed, at most 20 lines
};

/// Builds one target, or everything if `target` is empty.
/// @throws Failure if the log cannot be written or CMake cannot be run, Interrupted on Ctrl-C
BuildOutcome build_target(const Checkout& checkout, const std::string& target, Progress& progress);

/// The same, for a target that makes a program; remakes it where the file is damaged.
BuildOutcome build_program(const Checkout& checkout, const std::string& target,
                           const std::filesystem::path& program, Progress& progress);

/// What matters of a failed build's output: from the first error on, without progress and without
/// command lines; the last lines if none speaks of an error. At most `limit` of them.
std::vector<std::string> relevant_lines(const std::vector<std::string>& output,
                                        std::size_t limit = 20);

/// How many programs to run at once: CMAKE_BUILD_PARALLEL_LEVEL, or one a core.
std::string parallel_level();

}  // namespace course::tool
