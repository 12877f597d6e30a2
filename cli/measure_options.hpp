/// @file
/// The command line of the measuring bench. The course program reads it too, so that a slip of the
/// pen is found before anything is built.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace course::measure {

/// What the command line says.
struct MeasureOptions {
  std::string out;                    ///< file for the results; empty: docs/results/<gpu>.json
  int repeat = 100;                   ///< timed launches of each kernel, at least
  bool quick = false;                 ///< the smallest shapes only, and few samples
  int random = 0;                     ///< shapes drawn at random in place of ours; 0: none
  std::uint64_t seed = 1;             ///< of these
  std::vector<std::string> chapters;  ///< "10": theirs alone; empty: all
};

/// A command line that cannot be obeyed. what() is one line.
class BadOptions : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the arguments after the program's name.
/// @throws BadOptions
MeasureOptions parse_measure_options(const std::vector<std::string>& arguments);

/// The options of `measure`.
std::vector<std::string> measure_options();

}  // namespace course::measure
