/// @file
/// The memory traffic of a student's kernels: `traffic 01a` and `picture 01a`.
#pragma once

#include <string>
#include <vector>

#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/screen.hpp"
#include "picture.hpp"

namespace course::tool {

/// Makes the check program of an exercise, and becomes it: what it prints is followed by the
/// listing. Of the cases those run that ask about efficiency, if there are any.
/// @param options for the check program
[[noreturn]] void exercise_traffic(const Checkout& checkout, const ExerciseList& list,
                                   const Exercise& exercise,
                                   const std::vector<std::string>& options, const Screen& screen);

/// Makes the check program of an exercise, runs these cases, and draws what was asked for.
/// @param check_options for the check program
/// @return the exit status
int exercise_picture(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
                     const Picture& picture, const std::vector<std::string>& check_options,
                     const Screen& screen);

}  // namespace course::tool
