/// @file
/// What to say at the end of a part of the course.
#pragma once

#include <string>

#include "exercises/student_record.hpp"
#include "host/exercises/exercise_list.hpp"

namespace course::tool {

/// The part that a chapter's exercise belongs to; null if it belongs to none.
const Part* part_of(const ExerciseList& list, const Exercise& exercise);

/// What to say now that `exercise` was solved: a congratulation if it was the last one of its part,
/// and this part was not yet congratulated on; else nothing. Remembered in the record.
std::string congratulation(const ExerciseList& list, const Exercise& exercise,
                           StudentRecord& record);

}  // namespace course::tool
