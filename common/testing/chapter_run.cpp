#include "testing/chapter_run.hpp"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace course::testing {

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "course-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

static std::string shell_quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

ProgramRun run_program(const std::string& program, const std::vector<std::string>& arguments) {
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

ProgramRun run_chapter(const std::string& program, std::vector<std::string> arguments) {
  const ScratchFolder scratch;
  arguments.insert(arguments.end(), {"--json", scratch.file("report.json")});
  ProgramRun run = run_program(program, arguments);
  if (run.status == 77) {
    std::fputs(run.out.c_str(), stdout);
    std::exit(77);
  }
  run.report = JsonValue::parse(read_file(scratch.file("report.json")));
  return run;
}

void needs_emulator(const ProgramRun& run) {
  if (run.report["backend"] == "emulator") return;
  std::puts("SKIPPED: traffic is counted on the emulator only");
  std::exit(77);
}

void check_refused(const std::string& program, const std::vector<std::string>& arguments,
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

JsonValue row_of(const ProgramRun& run, const std::string& kernel) {
  for (const JsonValue& row : run.report["results"]) {
    if (row["kernel"] == kernel) return row;
  }
  FAIL("no row for " << kernel);
  return {};
}

}  // namespace course::testing
