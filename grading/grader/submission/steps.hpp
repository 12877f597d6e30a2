/// @file
/// What the steps from a student's file to a program share.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "grader/submission/submission.hpp"
#include "host/errors.hpp"

namespace course::tool::grading {

/// By the clock, for a machine that is busy or stands still: then nobody is to blame. What a file
/// may cost of the processor's time is less: see workshop_limits().
inline constexpr std::chrono::seconds longest_step{180};
/// A compiler can be made to say a lot.
inline constexpr std::size_t most_lines = 4000;
inline constexpr std::size_t longest_line = 400;

/// Makes a folder that others can look into.
/// @throws Failure with status 2 if that is not possible
inline void make_folder(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(folder, error);
  fs::permissions(folder, fs::perms(0755), error);
  if (!fs::is_directory(folder, error)) {
    throw Failure("cannot make " + folder.string(), status_refused);
  }
}

/// What becomes of a submission that gets no further.
inline SubmissionBuild stopped(const std::string& state, const std::string& reason,
                               std::vector<std::string> details = {}) {
  SubmissionBuild built;
  built.state = state;
  built.reason = reason;
  built.details = std::move(details);
  if (built.details.size() == 1 && built.details[0] == reason) built.details.clear();
  return built;
}

}  // namespace course::tool::grading
