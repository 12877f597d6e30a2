/// @file
/// What `grade` was asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace course::tool::grading {

/// The command line of `grade`.
struct GradeOptions {
  std::vector<std::string> exercises;  ///< exercises and chapters, as typed; none: all
  std::string submission;              ///< the folder of one submission; empty: the checkout
  std::string class_folder;            ///< a folder of submissions, one an entry
  std::string out;                     ///< where the marks of a class go; empty: DIR-marks
  std::string json;                    ///< a file for the marks of one submission
  std::string junit;                   ///< a file for them as JUnit's XML
  std::optional<std::uint64_t> seed;   ///< of the checks' data; none: by chance
  int time_limit = 10;                 ///< seconds of the processor for one case
  std::vector<std::string> allow;      ///< functions that a submission may use besides
  bool without_witness = false;        ///< what a submission counts and finds itself is believed
  bool trust = false;                  ///< go on where submissions cannot be isolated
  std::optional<int> min_points;       ///< below this, the exit status is 1
  int jobs = 0;                        ///< how many submissions at once; 0: one a core
  bool again = false;                  ///< mark also those whose marks are there already
};

}  // namespace course::tool::grading
