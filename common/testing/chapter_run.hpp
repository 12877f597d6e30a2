/// @file
/// Support for tests that run a chapter's program as a reader would and look at what it says.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "testing/json_value.hpp"

namespace course::testing {

/// What a program did.
struct ProgramRun {
  int status = -1;   ///< exit status, or 128 + the signal that ended it
  std::string out;   ///< what it wrote to stdout
  std::string err;   ///< what it wrote to stderr
  JsonValue report;  ///< its --json file, where one was asked for
};

/// A private folder, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::string& path);

/// Runs a program with the given arguments, and no input.
ProgramRun run_program(const std::string& program, const std::vector<std::string>& arguments);

/// The same with `--json`, and the report read back. Where the program skips itself, for want of a
/// GPU, so does the test: it ends with status 77.
ProgramRun run_chapter(const std::string& program, std::vector<std::string> arguments);

/// Ends the test as skipped unless the program ran on the emulator: a GPU counts no sectors for us.
void needs_emulator(const ProgramRun& run);

/// A program refuses these arguments in one line that says so, with status 2. Ends the test as
/// skipped where a size has no memory to be compared with.
void check_refused(const std::string& program, const std::vector<std::string>& arguments,
                   const std::string& says);

/// The report's figures of one kernel.
JsonValue row_of(const ProgramRun& run, const std::string& kernel);

}  // namespace course::testing
