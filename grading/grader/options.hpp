/// @file
/// What `grade` was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace course::tool::grading {

/// A part of a class, for one of several machines: submissions in turn, as one deals cards.
struct Shard {
  int number = 1;  ///< counted from 1
  int of = 1;

  bool has(std::size_t submission) const {
    return submission % static_cast<std::size_t>(of) == static_cast<std::size_t>(number - 1);
  }
};

/// Of "2/8"; none if the text is not a shard.
std::optional<Shard> shard_of(const std::string& text);

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
  std::string shard;                   ///< as 2/8: a part of the class; empty: all of it
  std::string roster;                  ///< a CSV of who is in the class
  std::string deadlines;               ///< a JSON of when labs are due, and what lateness costs
  std::string gradescope;              ///< grade nothing, and write an autograder there
  bool again = false;                  ///< mark also those whose marks are there already
};

/// Reads the arguments after `grade`.
/// @throws Failure with status 2 and one line that says what is wrong
GradeOptions parse_grade_options(const std::vector<std::string>& words);

/// The options of `grade`, sorted.
std::vector<std::string> grade_options();

}  // namespace course::tool::grading
