/// @file
/// `./course grade`.
#pragma once

#include "grader/options.hpp"
#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/screen.hpp"

namespace course::tool::grading {

/// Marks a submission, or a class.
/// @return the exit status: 1 if something of ours failed, or fewer points than asked for
/// @throws Failure with status 2 if the options cannot be obeyed, or submissions not be isolated
int grade(const Checkout& checkout, const ExerciseList& list, const GradeOptions& options,
          const Screen& screen);

}  // namespace course::tool::grading
