/// @file
/// The parts of the course, and what to say at the end of one.
#pragma once

#include <string>
#include <vector>

#include "exercises.hpp"
#include "student_record.hpp"

namespace course::tool {

/// Some chapters that belong together.
struct Part {
  int first;  ///< chapter
  int last;   ///< chapter
  std::string title;
  std::string can_do;  ///< what a student can do who has solved its exercises: sentences
};

/// The parts, in order.
const std::vector<Part>& parts();

/// The part that a chapter's exercise belongs to; null if it belongs to none.
const Part* part_of(const Exercise& exercise);

/// What to say now that `exercise` was solved: a congratulation if it was the last one of its part,
/// and this part was not yet congratulated on; else nothing. Remembered in the record.
std::string congratulation(const ExerciseList& list, const Exercise& exercise,
                           StudentRecord& record);

}  // namespace course::tool
