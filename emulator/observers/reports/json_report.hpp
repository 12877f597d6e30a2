#pragma once
/// \file
/// The JSON report: EMULATOR_REPORT=FILE. Its form is report.schema.json.

#include <cstdio>
#include <string>

#include "base/rooms.hpp"
#include "emulator/traffic.h"

namespace emulator::reports {

/// A report in the making. The file is a whole report after every launch, so that it holds what was
/// recorded and found however the program ends.
class Report {
 public:
  /// Opens the file. If that cannot be done the program ends, with one line and status 2.
  explicit Report(const std::string& path);
  ~Report();
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;

  void add(const LaunchRecord& launch);

  /// Writes all findings there are by now.
  void update_findings();

 private:
  void write(const std::string& text);

  std::string path_;
  std::FILE* file_ = nullptr;
  long end_of_kernels_ = 0;  // where the next launch goes
  long end_ = 0;             // of the file
  bool first_ = true;
};

}  // namespace emulator::reports
