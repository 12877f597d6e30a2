/// @file
/// Taking a student's file out of a submission, which may hold anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "host/exercises/exercise_list.hpp"

namespace course::tool::grading {

/// A student's submission.
struct Submission {
  std::string name;            ///< as reports show it
  std::filesystem::path path;  ///< its folder, or the one file
  bool is_file = false;
};

/// The largest source file that is looked at.
inline constexpr std::size_t largest_source = std::size_t{256} * 1024;

/// What was found in place of the file asked for.
struct CollectedFile {
  /// Unreadable is what the machine, or whoever collected it, keeps us from reading: then nobody
  /// knows what it is.
  enum class State { found, missing, not_a_file, too_large, not_text, unreadable };
  State state = State::missing;
  std::string reason;         ///< one line; empty if it was found
  std::string text;           ///< of the file, if it was found
  std::string place{};        ///< its path in the submission
  std::int64_t modified = 0;  ///< when, by the file system, in seconds since 1970
};

/// As marks name it: "missing", "not a file", ... What is unreadable is "not graded".
std::string name_of(CollectedFile::State state);

/// Reads the file of an exercise. It is looked for as exercises/NAME/FILE, NAME/FILE and FILE. What
/// is below `submission` is the student's: no symbolic link is followed, and nothing but an
/// ordinary file is opened.
/// @param submission a folder; or the file itself, whatever its name
CollectedFile collect(const std::filesystem::path& submission, const Exercise& exercise);

/// The same of a submission that is itself the one file.
CollectedFile collect_file(const std::filesystem::path& file);

/// The same of a submission, whichever it is.
inline CollectedFile collect(const Submission& submission, const Exercise& exercise) {
  return submission.is_file ? collect_file(submission.path) : collect(submission.path, exercise);
}

}  // namespace course::tool::grading
