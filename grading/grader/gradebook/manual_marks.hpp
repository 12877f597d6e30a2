/// @file
/// Marks and comments that a teacher gave by hand.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "host/exercises/exercise_list.hpp"

namespace course::tool::grading {

/// A line of manual.csv: student,exercise,points,comment.
struct ManualMark {
  std::string student;        ///< the submission's name as reports show it; or the id of the roster
  std::string exercise;       ///< "01a"
  std::optional<int> points;  ///< in hundredths; without: the comment only
  std::string comment;
  std::string at;  ///< "manual.csv:3: ", for messages
};

/// Reads the file beside a class's marks, which grading never writes. None if there is no such
/// file.
/// @throws Failure with status 2, in one line, if it cannot be understood
std::vector<ManualMark> read_manual_marks(const std::filesystem::path& file,
                                          const ExerciseList& list);

}  // namespace course::tool::grading
