/// @file
/// Writes the stubs of all exercises from the model solutions, or compares them.
///
///     make_stubs [--check] EXERCISES_JSON
///
/// With --check nothing is written: what differs is listed, with the first line that does. Exit
/// status 0: all are in step; 1: some are not, or a model solution has malformed markers; 2: the
/// command line. Students edit these files: unless COURSE_PRISTINE is 1, --check takes a difference
/// for theirs, says which files were not compared, and exits with 77.

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "host/errors.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/exercises/stub.hpp"
#include "host/files.hpp"
#include "host/standard_streams.hpp"

namespace course::tool {
namespace {

bool is_pristine() {
  const char* const value = std::getenv("COURSE_PRISTINE");
  return value != nullptr && std::string(value) == "1";
}

/// What is wrong with the stub that is there; empty if nothing is.
std::string difference(const Exercise& exercise, const std::string& stub) {
  const auto found = read_file(exercise.source());
  if (!found) return exercise.source().string() + " is not there";
  const auto line = first_difference(*found, stub);
  if (!line) return "";
  return exercise.source().string() + ':' + std::to_string(*line) +
         ": not what the model solution's marked regions make it";
}

int compare(const ExerciseList& list) {
  std::vector<std::string> differences;
  for (const Exercise& exercise : list.exercises) {
    const std::string text = difference(exercise, read_stub(exercise.model()));
    if (!text.empty()) differences.push_back(text);
  }
  const bool strict = is_pristine();
  if (!differences.empty()) {
    std::cout << (strict ? "Out of step with solutions/ (make_stubs writes them again):\n"
                         : "SKIPPED: edited, and with COURSE_PRISTINE=1 this would fail:\n");
  }
  for (const std::string& text : differences) std::cout << text << '\n';
  if (differences.empty()) return status_ok;
  return strict ? status_failed : status_skipped;
}

int write(const ExerciseList& list) {
  for (const Exercise& exercise : list.exercises) {
    const std::string stub = read_stub(exercise.model());
    if (read_file(exercise.source()) == stub) continue;
    if (!write_file(exercise.source(), stub)) {
      throw Failure("cannot write " + exercise.source().string());
    }
    std::cout << exercise.source().string() << '\n';
  }
  return status_ok;
}

int run(const std::vector<std::string>& words) {
  const bool check = !words.empty() && words.front() == "--check";
  if (words.size() != (check ? 2U : 1U) || words.back().starts_with('-')) {
    throw Failure("want: make_stubs [--check] EXERCISES_JSON", status_refused);
  }
  const ExerciseList list = read_exercises(words.back());
  return check ? compare(list) : write(list);
}

}  // namespace
}  // namespace course::tool

int main(int argc, char** argv) {
  course::tool::open_closed_streams();
  try {
    return course::tool::if_all_was_written(course::tool::run({argv + 1, argv + argc}),
                                            "make_stubs");
  } catch (const course::tool::Failure& failure) {
    std::cerr << "make_stubs: " << failure.what() << '\n';
    return failure.status();
  }
}
