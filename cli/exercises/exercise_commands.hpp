/// @file
/// The smaller commands about exercises. All return the program's exit status.
#pragma once

#include <string>
#include <vector>

#include "exercises/student_record.hpp"
#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/screen.hpp"

namespace course::tool {

/// Compiles a student's file and links it with its checks, for the fixture of the exercise's tests.
/// Prints what the compiler has to say and nothing else; after a failure no program is left.
int build_exercise(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                   const Screen& screen);

/// Shows the next hint, and remembers that it did; `again`: those that were shown before.
int hint_command(const Checkout& checkout, const Exercise& exercise, bool again,
                 const Screen& screen);

/// Puts the stub back. The student's version is kept aside, and the screen says where.
int reset_command(const Checkout& checkout, const Exercise& exercise, const Screen& screen);

/// Shows the model solution, after an attempt or `anyway`.
/// @throws Failure if there was none
int solution_command(const Checkout& checkout, const Exercise& exercise, bool anyway,
                     const Screen& screen);

/// The exercises as a table with what was done about them, and the points; empty if there are none.
std::string exercise_table(const ExerciseList& list, const StudentRecord& record,
                           const Screen& screen);

}  // namespace course::tool
