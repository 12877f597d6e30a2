/// @file
/// A command of ./course that lives in a room of its own, as `grade` does: the program's main()
/// knows both, and neither knows the other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/checkout.hpp"
#include "host/screen.hpp"

namespace course::tool {

/// What the command line has to know of such a command.
struct ExtraCommand {
  /// The command with its words, to be run.
  struct Invocation {
    std::function<int(const Checkout&, const Screen&)> run;  ///< returns the exit status
    bool wants_emulator = false;
    /// Whether what goes to standard output is meant for a program: no line of it may be broken.
    bool output_is_a_file = false;
  };

  std::string name;
  /// Reads the words behind the name.
  /// @throws Failure with status 2 and one line that says what is wrong
  std::function<Invocation(const std::vector<std::string>& words)> parse;
};

}  // namespace course::tool
