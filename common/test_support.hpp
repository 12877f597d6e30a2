/// @file
/// Support for tests that run a chapter's program as a reader would and look at what it says.
#pragma once

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace course::test {

/// What a program did.
struct ProgramRun {
  int status = -1;        ///< exit status, or 128 + the signal that ended it
  std::string out;        ///< what it wrote to stdout
  std::string err;        ///< what it wrote to stderr
  nlohmann::json report;  ///< its --json file, where one was asked for
};

/// A private folder, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "course-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// Runs a program with the given arguments, and no input.
inline ProgramRun run_program(const std::string& program,
                              const std::vector<std::string>& arguments) {
  const ScratchFolder scratch;
  std::string command = shell_quoted(program);
  for (const std::string& argument : arguments) command += " " + shell_quoted(argument);
  command += " </dev/null >" + shell_quoted(scratch.file("out")) + " 2>" +
             shell_quoted(scratch.file("err"));
  const int status = std::system(command.c_str());
  ProgramRun run;
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.out = read_file(scratch.file("out"));
  run.err = read_file(scratch.file("err"));
  return run;
}

/// The same with `--json`, and the report read back. Where the program skips itself, for want of a
/// GPU, so does the test: it ends with status 77.
inline ProgramRun run_chapter(const std::string& program, std::vector<std::string> arguments) {
  const ScratchFolder scratch;
  arguments.insert(arguments.end(), {"--json", scratch.file("report.json")});
  ProgramRun run = run_program(program, arguments);
  if (run.status == 77) {
    std::fputs(run.out.c_str(), stdout);
    std::exit(77);
  }
  run.report = nlohmann::json::parse(read_file(scratch.file("report.json")), nullptr, false);
  return run;
}

/// Ends the test as skipped unless the program ran on the emulator: a GPU counts no sectors for us.
inline void needs_emulator(const ProgramRun& run) {
  if (run.report.value("backend", "") == "emulator") return;
  std::puts("SKIPPED: traffic is counted on the emulator only");
  std::exit(77);
}

/// Shapes that find off-by-one errors: around a warp and a block, primes, flat and tall.
inline const std::vector<std::pair<int, int>>& awkward_shapes() {
  static const std::vector<std::pair<int, int>> shapes = {
      {1, 1},     {1, 2},     {2, 1},      {3, 5},    {31, 33},  {32, 32},  {33, 31}, {127, 257},
      {257, 127}, {128, 128}, {129, 1009}, {1, 4001}, {4001, 1}, {7, 1000}, {1000, 7}};
  return shapes;
}

/// A program refuses these arguments in one line that says so, with status 2. Ends the test as
/// skipped where a size has no memory to be compared with.
inline void check_refused(const std::string& program, const std::vector<std::string>& arguments,
                          const std::string& says) {
  CAPTURE(arguments.back());
  const ProgramRun run = run_program(program, arguments);
  if (run.status == 77) {  // a size is compared with a GPU's memory, and there is none
    std::puts(run.out.c_str());
    std::exit(77);
  }
  CHECK(run.status == 2);
  CHECK(run.out == "");
  CHECK(run.err.find(says) != std::string::npos);
  CHECK(run.err.find('\n') == run.err.size() - 1);
}

/// The report's figures of one kernel.
inline nlohmann::json row_of(const ProgramRun& run, const std::string& kernel) {
  for (const auto& row : run.report["results"]) {
    if (row["kernel"] == kernel) return row;
  }
  FAIL("no row for " << kernel);
  return {};
}

}  // namespace course::test
