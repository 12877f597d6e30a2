/// @file
/// Marking one submission: collecting, compiling, judging, exercise after exercise.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "grader/options.hpp"
#include "grader/report/marks.hpp"
#include "grader/sandbox/sandbox.hpp"
#include "grader/submission/collect.hpp"
#include "grader/submission/submission.hpp"
#include "grader/submission/witness.hpp"
#include "host/checkout.hpp"
#include "host/exercises/check_program.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/screen.hpp"

namespace course::tool::grading {

/// Says what is going on: "01a_residual: compiling", "3 s".
using StepHandler = std::function<void(const std::string& step, const std::string& detail)>;

/// Marks submissions, all by the same rules.
class Grader {
 public:
  /// @throws Failure with status 2 if the build cannot grade
  Grader(const Checkout& checkout, const ExerciseList& list, std::vector<const Exercise*> exercises,
         const GradeOptions& options, std::uint64_t seed, const Sandbox& sandbox);

  /// Builds the judges, and finds out what they ask for. An exercise for which that fails is not
  /// graded.
  void prepare(const Screen& screen);

  /// Marks a submission. What fails on our side is noted in the marks and stops nothing.
  /// @param scratch an empty folder, which others can look into
  /// @throws Interrupted on Ctrl-C
  Marks grade(const Submission& submission, const std::filesystem::path& scratch,
              const StepHandler& on_step = {}) const;

  /// What the marks of a submission depend on, as one word.
  std::string fingerprint(const Submission& submission) const;

  const std::vector<const Exercise*>& exercises() const { return exercises_; }
  std::uint64_t seed() const { return seed_; }

 private:
  /// What is known of an exercise before any submission.
  struct PreparedExercise {
    std::vector<std::string> asked;  ///< functions
    std::string failure;             ///< of ours; empty if all is well
  };

  std::string fingerprint_of(const Submission& submission,
                             const std::vector<CollectedFile>& collected) const;
  ExerciseMark grade_exercise(const Exercise& exercise, const PreparedExercise& prepared,
                              const CollectedFile& collected, const std::filesystem::path& folder,
                              const StepHandler& on_step) const;
  /// Runs the judge over a submission's program, which that command starts.
  /// @param only a case; all if empty
  /// @param seconds of the processor's time that a case may take, if they are not the usual ones
  CheckResult judge(const Exercise& exercise, const std::vector<std::string>& submission,
                    const std::filesystem::path& folder, const TickHandler& on_tick,
                    const std::string& only = "", int seconds = 0) const;
  /// Runs each case that has passed once more, with a witness.
  void call_witness(const Exercise& exercise, const SubmissionBuild& built,
                    const std::filesystem::path& folder, const TickHandler& on_tick, int seconds,
                    ExerciseMark& mark) const;

  const Checkout& checkout_;
  const ExerciseList& list_;
  std::vector<const Exercise*> exercises_;
  GradeOptions options_;
  std::uint64_t seed_;
  const Sandbox& sandbox_;
  WitnessTool witness_;
  std::vector<PreparedExercise> prepared_;
  std::string judge_version_;
};

/// The marks of an exercise before anything was judged: all points there are, none reached.
ExerciseMark nothing_yet(const Exercise& exercise);

/// Turns what became of the cases into points.
void count_points(const Exercise& exercise, const CheckResult& result, ExerciseMark& mark);

}  // namespace course::tool::grading
