/// @file
/// How checks went, for programs: what `check --json FILE` writes.
#pragma once

#include <string>
#include <vector>

#include "exercises/check.hpp"

namespace course::tool {

/// An exercise and how its check went.
struct CheckedExercise {
  const Exercise* exercise;
  CheckVerdict verdict;
};

/// The checked exercises as JSON: an object with the list "exercises". The state of a case is
/// "passed", "failed", "skipped" or "not run"; points that are not known are null.
std::string check_json(const Checkout& checkout, const std::vector<CheckedExercise>& checked);

}  // namespace course::tool
