/// @file
/// What the course program reports to whoever runs it: one line, and an exit status.
#pragma once

#include <stdexcept>
#include <string>

namespace course::tool {

/// Exit statuses, the same for the program and for the script before it.
enum Status : int {
  status_ok = 0,
  status_failed = 1,   ///< a build, a run or a verification failed
  status_refused = 2,  ///< the command line cannot be obeyed
  status_skipped = 77  ///< a chapter needs what is not there
};

/// Ends the program with one line on stderr. what() is that line, without the program's name.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& line, int status = status_failed)
      : std::runtime_error(line), status_(status) {}

  /// The program's exit status.
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace course::tool
