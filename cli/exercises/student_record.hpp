/// @file
/// What is remembered of a student's work: .course/progress.json in the checkout, or in the build
/// folder where the checkout is read-only.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"

namespace course::tool {

/// What was done about one exercise.
struct ExerciseRecord {
  int attempts = 0;  ///< checks of a file that differed from the stub and from the one before
  int hints = 0;     ///< how many were shown
  bool solved = false;
  std::string last;  ///< tells apart what was checked last
  int points = 0;    ///< of the last check, if the points of its cases are known
};

/// What was done about all of them.
struct StudentRecord {
  std::map<std::string, ExerciseRecord> work;  ///< by the exercise's name
  std::vector<std::string> congratulated;      ///< parts of the course, by their title
  std::string latest;  ///< the exercise that was worked on last, by its name; empty if none was

  ExerciseRecord of(const Exercise& exercise) const;
  bool solved(const Exercise& exercise) const { return of(exercise).solved; }
};

/// Where the record is kept, and the versions that `reset` takes away. Once it is there it stays
/// where it is.
/// @param to_write makes it if it is not there
std::filesystem::path student_record_folder(const Checkout& checkout, bool to_write = false);

/// Reads the record; an empty one if there is none. A file that cannot be understood is kept aside
/// as progress.json.bad, with a line on `err`.
StudentRecord read_student_record(const Checkout& checkout, std::ostream& err);

/// Reads the record, has it changed and writes it, while no other program does. If it cannot be
/// written a line on `err` says so.
/// @return as it is now
StudentRecord change_student_record(const Checkout& checkout, std::ostream& err,
                                    const std::function<void(StudentRecord&)>& change);

/// Counts a check of this text as an attempt, if it is one.
void note_attempt(StudentRecord& record, const Exercise& exercise, const std::string& text);

/// The stub of an exercise; empty if there is no model solution to make it from.
std::string stub_text(const Exercise& exercise);

}  // namespace course::tool
