/// @file
/// Checking exercises: `check`, and what `watch` does at each save.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "exercises/student_record.hpp"
#include "host/checkout.hpp"
#include "host/exercises/check_program.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/process.hpp"
#include "host/screen.hpp"

namespace course::tool {

/// How a check went.
struct CheckVerdict {
  bool solved = false;
  std::string summary;  ///< a phrase: "2 of 5 cases failed", "does not compile"
  /// What the first case that failed says first, with its name; only if all that it says would
  /// drive it from the screen.
  std::string first_failure;
  std::optional<int> points;          ///< of the cases that passed, where their points are known
  bool as_handed_out = false;         ///< whether nothing was written yet
  std::vector<std::string> messages;  ///< why nothing was run, or the compiler's warnings
  std::vector<CaseResult> cases;      ///< those that were run
  std::chrono::milliseconds took{0};
  std::string congratulation;  ///< if that was the last one of a part
};

/// Builds what an exercise's file is linked with, compiles the file, runs the checks, shows what
/// came of it, case by case, and remembers it.
/// @param while_checking called now and then while the compiler or the checks are at work. What it
///   throws ends them, and nothing is remembered.
/// @throws Failure if the checks themselves cannot be built, Interrupted on Ctrl-C
CheckVerdict check_exercise(const Checkout& checkout, const ExerciseList& list,
                            const Exercise& exercise, const Screen& screen,
                            const TickHandler& while_checking = {});

/// Shows what there is to do after a check: read, take a hint, compare, go on.
/// @param watched the file is checked again anyway, and the screen says how far the student is
void tell_what_next(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                    const CheckVerdict& verdict, const Screen& screen, bool watched = false);

/// The command `check`: one exercise, all of a chapter, or (nothing wanted) the first unsolved.
/// @param json_file a file for how it went, for programs; empty: none
/// @return the exit status: 0 if all that was checked passed, else 1
/// @throws Failure if the file cannot be written
int check_command(const Checkout& checkout, const ExerciseList& list, const std::string& wanted,
                  const Screen& screen, const std::string& json_file = "");

/// What a case is worth; nothing where that is not known.
std::optional<int> case_points(const Exercise& exercise, const std::string& name);

/// Builds an exercise's target, or shows why that is not possible.
/// @throws Failure then
void build_checks(const Checkout& checkout, const Exercise& exercise, const Screen& screen);

}  // namespace course::tool
