/// @file
/// The program's command line.
#pragma once

#include <string>
#include <vector>

namespace course::tool {

/// What was asked for.
struct CommandLine {
  enum class Command {
    help,
    version,
    tour,
    test,
    run,
    traffic,
    picture,
    emucc,
    check,
    watch,
    hint,
    reset,
    solution,
    measure,
    list,
    doctor,
    new_exercise,   ///< its id is `chapter`, its name `name`
    grade,          ///< its words are read by the program that grades
    build_exercise  ///< for the fixtures of ctest; not in the help
  };
  Command command = Command::help;
  std::string topic;  ///< `help`: of what; empty: of all commands
  /// For `run` and the like: a number or a name of a chapter or an exercise; of `list` a part;
  /// empty where none is asked for. For `traffic` and `picture` also a file, mine.cu; for a
  /// timeline also run.json.
  std::string chapter;
  std::string name;                  ///< `new-exercise`: of the exercise
  bool fast = false;                 ///< `run`: not instrumented, nothing counted
  bool again = false;                ///< `hint`: those that were seen
  bool anyway = false;               ///< `solution`: without an attempt
  bool all = false;                  ///< `list`: all parts
  bool timeline = false;             ///< `picture`: of what ran in which stream
  std::string json;                  ///< `check`: a file for how it went
  std::vector<std::string> picture;  ///< for the program that draws
  std::vector<std::string>
      pass_on;  ///< for ctest, a chapter, the bench or the grader, as it was typed
};

/// Reads the arguments after the program's name.
/// @throws Failure with status 2 and one line that says what is wrong
CommandLine parse_command_line(const std::vector<std::string>& words);

/// The options that a command reads itself, sorted; those that it passes on are not among them.
std::vector<std::string> options_of(const std::string& command);

}  // namespace course::tool
