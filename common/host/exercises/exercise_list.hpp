/// @file
/// The list of exercises that the build writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/checkout.hpp"

namespace course::tool {

/// One exercise: a file to write in, and a check program to link it with.
struct Exercise {
  std::string id;       ///< "01a"
  std::string name;     ///< "01a_residual", the name of its folder
  std::string title;    ///< one line
  std::string kind;     ///< "build", "mend", "explain", "speed" or "review"
  std::string chapter;  ///< "01"
  int points = 0;
  bool cublas = false;               ///< whether it calls cuBLAS
  bool cutensor = false;             ///< whether it calls cuTENSOR
  std::vector<std::string> needs;    ///< functions that only some exercises may call
  std::string lacks;                 ///< why it cannot be built here, a line; empty if it can
  std::filesystem::path folder;      ///< handout, hints and the student's file
  std::string file;                  ///< the student's file in it, "residual.cu"
  std::filesystem::path solution;    ///< the folder of the model solution and of wrong/ ones
  std::string target;                ///< of the build: all that the student's object is linked with
  std::vector<std::string> objects;  ///< made by that target
  std::vector<std::string> libraries;  ///< and options for linking
  std::vector<std::string> compile;    ///< options besides the common ones
  std::vector<std::string> compiler;   ///< for a file that is not CUDA; empty: the list's
  std::vector<std::string> cases;      ///< names of the check's test cases, in order

  // For grading, where the backend is the emulator.
  std::vector<int> case_points;  ///< of each case
  std::filesystem::path judge;   ///< the checks as a program without the student's functions
  std::string not_graded;        ///< why it is not graded, a sentence; empty: it is
  std::string judge_target;      ///< of the build: the judge, and what a submission is linked with
  std::vector<std::string> submission_objects;    ///< those, besides the student's object
  std::vector<std::string> submission_libraries;  ///< and options for linking

  /// The file that the student edits.
  std::filesystem::path source() const { return folder / file; }
  std::filesystem::path model() const { return solution / file; }
  std::filesystem::path handout() const { return folder / "README.md"; }
  std::filesystem::path hints() const { return folder / "hints.md"; }
};

/// Some chapters that belong together.
struct Part {
  std::string title;
  std::vector<std::string> chapters;  ///< "01", ...
  std::string can_do;  ///< what a student who has solved its exercises can do: sentences
};

/// All exercises, and how they are compiled and linked.
struct ExerciseList {
  std::string backend;               ///< "emulator" or "cuda"
  std::vector<std::string> compile;  ///< then the exercise's own options, -c FILE -o OBJECT
  std::vector<std::string> link;     ///< then OBJECT, objects, -o PROGRAM, libraries
  std::vector<Part> parts;           ///< of the course
  std::string witness;               ///< the folder of the witness; empty if there is none
  std::string student_script;        ///< by which the linker gathers what is a student's
  std::vector<Exercise> exercises;
};

/// Where the build writes the list.
inline std::filesystem::path exercise_list_file(const Checkout& checkout) {
  return checkout.build_dir / "exercises.json";
}

/// Reads exercises.json, in its order.
/// @throws Failure if it cannot be read or is no such list
ExerciseList read_exercises(const std::filesystem::path& file);

/// Whether a word means an exercise rather than a chapter: 01a, 1a or 01a_residual.
bool names_exercise(const std::string& word);

/// Finds an exercise by its id, with or without leading zeros, or by its name.
/// @throws Failure with status 2, naming what may have been meant
const Exercise& find_exercise(const ExerciseList& list, const std::string& wanted);

/// The exercises that a word means, in their order: one by its id, or all of a chapter (01, 1,
/// 01_global).
/// @throws Failure with status 2, naming what may have been meant
std::vector<const Exercise*> find_exercises(const ExerciseList& list, const std::string& wanted);

/// All exercises of a list.
std::vector<const Exercise*> all_of(const ExerciseList& list);

/// The exercises that a command means: by its argument; without one, all of the list.
/// @throws Failure if there are none
std::vector<const Exercise*> meant_exercises(const ExerciseList& list, const std::string& wanted);

/// A path as messages name it: relative if it is in the checkout.
std::string path_in_checkout(const Checkout& checkout, const std::filesystem::path& path);

}  // namespace course::tool
