/// @file
/// How far a student is, and where to go on.
#pragma once

#include <string>
#include <vector>

#include "chapters.hpp"
#include "exercises/student_record.hpp"
#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"

namespace course::tool {

/// The points of an exercise: all of them once it was solved, else those of the last check.
int points_of(const Exercise& exercise, const ExerciseRecord& work);

/// "2 of 20 exercises solved, 24 of 200 points".
std::string so_far(const ExerciseList& list, const StudentRecord& record);

/// The first exercise that is not solved; null if all are. What was passed over comes last: after
/// an exercise that was just solved, the next one follows.
/// @param after the exercise that was just solved, if any was
const Exercise* first_unsolved(const std::vector<const Exercise*>& exercises,
                               const StudentRecord& record, const Exercise* after = nullptr);

/// The one to go on with: after what was worked on last, in this session or another.
const Exercise* where_to_go_on(const std::vector<const Exercise*>& exercises,
                               const StudentRecord& record);

/// After leaving an exercise as it is: the next one of these that is not solved; null if there is
/// no other.
const Exercise* next_unsolved(const std::vector<const Exercise*>& exercises,
                              const StudentRecord& record, const Exercise& but);

/// What to do next, as `tour` and `list` end: a chapter to read where nothing of it was tried yet,
/// and an exercise.
std::string next_step(const Checkout& checkout, const std::vector<Chapter>& chapters,
                      const ExerciseList& list, const StudentRecord& record);

}  // namespace course::tool
