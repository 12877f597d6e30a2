/// @file
/// When the files of a submission were handed in, as far as the submission says.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "grader/submission/collect.hpp"

namespace course::tool::grading {

/// The time of the last commit that changed each file, by the clock of whoever made the commit.
/// Nothing for a file that is not as it was committed, or if the submission is not a repository.
///
/// A student's repository may have settings that name programs to run. So it is not looked into:
/// git copies what was committed into `scratch`, which it says is safe, and looks there.
std::vector<std::optional<std::int64_t>> commit_times(const Submission& submission,
                                                      const std::vector<CollectedFile>& files,
                                                      const std::filesystem::path& scratch);

}  // namespace course::tool::grading
