/// @file
/// Making an exercise to start from: `./course new-exercise 05c row_sums`.
#pragma once

#include <string>

#include "host/checkout.hpp"

namespace course::tool {

/// Makes all files of an exercise, registers it, and proves it; tools/exercises/new_exercise.py
/// does the work.
/// @return the exit status
/// @throws Failure with status 2 if there is no Python
int new_exercise_command(const Checkout& checkout, const std::string& id, const std::string& name);

}  // namespace course::tool
