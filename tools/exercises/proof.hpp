/// @file
/// The proof that an exercise's checks tell right from wrong.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/checkout.hpp"
#include "host/exercises/check_program.hpp"
#include "host/exercises/exercise_list.hpp"

namespace course::tool {

/// A file in the student's place, and what became of it.
struct Variant {
  std::string name;     ///< "stub", "model", "wrong/no_bound.patch", ...
  std::string verdict;  ///< a word or two for the table
  CheckResult result;   ///< empty if it did not compile
};

/// What was tried on an exercise, and what is wrong with it.
struct Proof {
  std::vector<Variant> variants;
  std::vector<std::string> faults;  ///< a line each; none: the exercise is proved
  std::vector<std::string> notes;   ///< what could not be checked here
};

/// Proves an exercise in a scratch folder:
///
/// - the stub compiles, and at least one case named `correct: …` fails; if it is to be made fast,
///   at least one named `efficient: …`, and no other;
/// - the model solution compiles without a warning and passes every case, none skipped on the
///   emulator, with all figures that the checks quote as they were counted;
/// - at least four wrong ones are there, and all of them apply to the model solution (see
///   wrong_solution.hpp); they compile, and the case that each names in its first line catches it;
/// - each case catches the stub or a wrong one that names it;
/// - on the emulator, the model solution passes no case at all if its kernels (and its calls of
///   cuBLAS) are never carried out;
/// - the handout and the hints have the form that the commands expect.
///
/// @param every_wrong_one compiles all of them and runs all cases; else one for each case, the
///     first that names it, and this case only
Proof prove(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
            const std::filesystem::path& scratch, bool every_wrong_one = true);

/// Runs the model solution under compute-sanitizer, which looks for wrong accesses, leaks and
/// races.
Proof sanitize(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
               const std::filesystem::path& scratch);

/// The proof as text: a table of the variants, then what is wrong.
std::string proof_text(const Exercise& exercise, const Proof& proof);

/// What is wrong with the form of hints.md and of the handout, a line each.
std::vector<std::string> faults_of_texts(const Exercise& exercise);

/// Turns a copy of a student's object into one whose kernels are never launched and whose calls of
/// cuBLAS never compute; both report success.
/// @param object is read
/// @param changed is written
/// @return further objects to link with it
/// @throws Failure if nm or objcopy fail, or if the object calls neither
std::vector<std::string> make_never_launched(const ExerciseList& list,
                                             const std::filesystem::path& object,
                                             const std::filesystem::path& changed);

}  // namespace course::tool
