#pragma once
/// \file
/// Findings for code scanning and editors: EMULATOR_SARIF=FILE.

#include <sys/types.h>

#include <string>

#include "base/rooms.hpp"

namespace emulator::reports {

/// A SARIF file with the findings of this process, and of those that wrote to it before or write to
/// it at the same time. It is a whole file at any time, however the program ends.
class SarifReport {
 public:
  /// Writes that the program has begun. If that cannot be done, or the file is there and is no such
  /// file, the program ends, with one line and status 2, and the file is as it was.
  explicit SarifReport(const std::string& path);

  /// Writes all findings there are by now.
  void update_findings() { write(nullptr); }

  /// The same, and that the program ends by itself, with that status.
  void end(int status) { write(&status); }

 private:
  void write(const int* status);

  std::string path_;
  std::string as_given_;  // the path, for messages
  std::string folder_;    // in which the program began
  std::string start_;     // when
};

}  // namespace emulator::reports
