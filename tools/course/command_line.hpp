/// @file
/// The program's command line.
#pragma once

#include <string>
#include <vector>

namespace course::tool {

/// What was asked for.
struct CommandLine {
  enum class Command { help, version, tour, test, run, traffic, picture, measure, list, doctor };
  Command command = Command::help;
  std::string chapter;               ///< for `run` and the like: a number or a name
  std::vector<std::string> picture;  ///< for tools/access_picture.py
  std::vector<std::string> pass_on;  ///< for ctest, the chapters or the bench, as it was typed
};

/// Reads the arguments after the program's name.
/// @throws Failure with status 2 and one line that says what is wrong
CommandLine parse_command_line(const std::vector<std::string>& arguments);

}  // namespace course::tool
