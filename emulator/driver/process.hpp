#pragma once
/// \file
/// Running other programs: the translator, g++, and the program made by --run.

#include <functional>
#include <string>

#include "request.hpp"

namespace emucc {

/// Notes signals that would end emucc, and passes them on to the program that it is waiting for.
void catch_signals();

/// The first such signal, or 0.
int received_signal();

/// Ends this process by the signal, after it has cleaned up.
[[noreturn]] void die_by(int signal);

/// How a program ended.
struct Ending {
  int status = 0;  ///< exit status
  int signal = 0;  ///< the signal that ended it, or 0
};

/// Runs a program and waits for it.
/// \param on_error_line is shown each line that the program writes to stderr, which is passed on
///   all the same; empty to leave stderr alone
/// \throws std::runtime_error if it cannot be started
Ending run(const Arguments& command, const std::function<void(const std::string&)>& on_error_line);

/// The output of a short command; empty if it cannot be run.
std::string output_of(const Arguments& command);

/// The command as a line that a shell would take.
std::string as_line(const Arguments& command);

/// A folder that lives as long as the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace emucc
