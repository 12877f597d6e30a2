/// @file
/// Making the check program of an exercise with some file in the student's place, and running it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/process.hpp"

namespace course::tool {

/// What is wrong with a student's file before any compiler sees it, and what to do: one line.
/// Nothing if it can be compiled.
std::optional<std::string> source_problem(const Checkout& checkout, const Exercise& exercise);

/// How making a check program went.
struct CompileResult {
  enum class Step { compiling, linking, done };
  Step stopped_at = Step::done;       ///< the step that failed
  std::vector<std::string> messages;  ///< errors; or, if all went well, the compiler's warnings
  bool ok() const { return stopped_at == Step::done; }
};

/// Compiles a file for an exercise, into `object`.
/// @throws Failure if the compiler cannot be started, Interrupted on Ctrl-C
CompileResult compile_for(const Checkout& checkout, const ExerciseList& list,
                          const Exercise& exercise, const std::filesystem::path& source,
                          const std::filesystem::path& object, const TickHandler& on_tick = {});

/// Links an object, and perhaps more, with the checks of an exercise.
/// @param source what the object was compiled from, for messages
CompileResult link_for(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                       const std::filesystem::path& source, const std::filesystem::path& object,
                       const std::filesystem::path& program,
                       const std::vector<std::string>& more_objects = {});

/// Both: makes `folder`/check of `source`. An older program is removed first, so that none is run
/// in the place of one that could not be made.
/// @throws Failure if the exercise's own objects are not built
CompileResult make_check_program(const Checkout& checkout, const ExerciseList& list,
                                 const Exercise& exercise, const std::filesystem::path& source,
                                 const std::filesystem::path& folder,
                                 const TickHandler& on_tick = {});

/// Where the check program of the student's file lies.
std::filesystem::path student_folder(const Checkout& checkout, const Exercise& exercise);

/// The one line to say if an exercise's own objects, with which a file is linked, are not built.
std::optional<std::string> missing_objects(const Checkout& checkout, const Exercise& exercise);

enum class CaseState {
  not_run,  ///< the program ended before it
  passed,
  failed,
  skipped,
  crashed,    ///< the program ended in the middle of it
  not_judged  ///< something failed that is not the code under test
};

/// What became of a test case.
struct CaseResult {
  std::string name;
  CaseState state = CaseState::not_run;
  std::string message;  ///< may have several lines
};

/// What became of all cases of a check, in their order.
struct CheckResult {
  std::vector<CaseResult> cases;
  std::chrono::milliseconds took{0};

  std::size_t count(CaseState state) const;
  /// Nothing failed or was left out, and something passed.
  bool passed() const;
};

/// How a check program is run.
struct CheckRun {
  /// Variables of the environment besides COURSE_CHECK_RESULTS.
  std::vector<std::pair<std::string, std::string>> environment;
  std::chrono::milliseconds time_limit = std::chrono::seconds(90);  ///< for the program
  TickHandler on_tick;
  std::string only_case;  ///< runs this one alone; all if empty
};

/// Runs the cases of a check program. Where the program ends in the middle of a case, the cases
/// after it are run by themselves.
/// @param folder for scratch files
/// @throws Failure if the program cannot be started, Interrupted on Ctrl-C
CheckResult run_check_program(const Checkout& checkout, const Exercise& exercise,
                              const std::filesystem::path& program,
                              const std::filesystem::path& folder, const CheckRun& run = {});

/// Reads what a check program wrote to COURSE_CHECK_RESULTS into the cases; a case that began and
/// has no end is crashed. Cases that the list did not know are added.
void read_results(const std::string& text, std::vector<CaseResult>& cases);

}  // namespace course::tool
