/// @file
/// `./course list`: the parts of the course, and how far a student is.
#pragma once

#include <string>
#include <vector>

#include "chapters.hpp"
#include "exercises/student_record.hpp"
#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/screen.hpp"

namespace course::tool {

/// What is listed.
struct CourseContents {
  std::vector<Chapter> chapters;
  ExerciseList exercises;
  StudentRecord record;
};

/// How many exercises are solved, as a bar to be seen at a glance: "[####------]". It is full only
/// if all are.
std::string progress_bar(std::size_t solved, std::size_t all, std::size_t room,
                         const Screen& screen);

/// One line for each part; of the one where the student is, also one for each chapter. All of it
/// and more fits on a screen of 24 lines.
std::string parts_overview(const CourseContents& contents, const Screen& screen);

/// All that `list` prints, which ends with what to do next.
/// @param all every part with its chapters and exercises
/// @param part such a part: its number from 1 on, or its title; empty: the overview
/// @throws Failure with status 2 if there is no such part
std::string course_list(const Checkout& checkout, const CourseContents& contents, bool all,
                        const std::string& part, const Screen& screen);

}  // namespace course::tool
