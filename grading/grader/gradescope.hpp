/// @file
/// An autograder for Gradescope: a zip of the course, and of what runs it there.
#pragma once

#include <vector>

#include "grader/options.hpp"
#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/screen.hpp"

namespace course::tool::grading {

/// Writes the zip that options.gradescope names, for these exercises. It holds the last commit of
/// the checkout, without the model solutions, and the files of docs/teaching/gradescope.
/// @throws Failure if the checkout is not a git repository, or the file cannot be written
int make_autograder(const Checkout& checkout, const std::vector<const Exercise*>& exercises,
                    const GradeOptions& options, const Screen& screen);

}  // namespace course::tool::grading
