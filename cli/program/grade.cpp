/// @file
/// The program behind ./course grade. `course` builds it when it is asked for marks, and becomes
/// it: nobody else has to wait for the grader.

#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "config.hpp"
#include "console/terminal.hpp"
#include "grader/grade_command.hpp"
#include "grader/options.hpp"
#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/progress.hpp"
#include "host/standard_streams.hpp"
#include "program/program.hpp"
#include "wrapping_output.hpp"

int main(int argc, char** argv) {
  using namespace course::tool;
  return run_program(argc, argv, [](const std::vector<std::string>& words) {
    const grading::GradeOptions options = grading::parse_grade_options(words);
    // What is meant for a program: no line of it may be broken.
    const bool is_a_file = options.json == "-" || options.junit == "-";
    const WrappingOutput output(std::cout,
                                is_a_file ? course::any_width : course::line_width(STDOUT_FILENO));
    const Checkout checkout{config::source_dir, config::build_dir, config::cmake, config::ctest};
    Progress progress = progress_on_stderr();
    const int status = grading::grade(checkout, read_exercises(exercise_list_file(checkout)),
                                      options, screen_for(progress));
    return if_all_was_written(status, "course");
  });
}
