#pragma once

#include <stdexcept>
#include <string>

namespace emulator::compiler::preprocess {

/// A failure of the launcher's own, which what() says in a line.
class LauncherError : public std::runtime_error {
 public:
  explicit LauncherError(const std::string& message, int status = 1)
      : std::runtime_error("emulator-compile: " + message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

}  // namespace emulator::compiler::preprocess
