#pragma once
/// \file
/// For tests that run emulator-compile: a folder to run it in. EMULATOR_COMPILE_PROGRAM is the path
/// of the program, EMULATOR_TEST_COMPILER the g++ that it is given.

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#ifndef EMULATOR_TEST_COMPILER
#define EMULATOR_TEST_COMPILER "g++"
#endif

namespace emulator::compiler::testing {

namespace fs = std::filesystem;

inline const std::string program = EMULATOR_COMPILE_PROGRAM;
inline const std::string compiler = EMULATOR_TEST_COMPILER;

struct Result {
  int status = 0;  // as a shell's $?
  std::string output;
  std::string errors;
};

// A folder of its own for each test, with commands run inside.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "emulator-compile-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Scratch() { fs::remove_all(folder_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  fs::path path(const std::string& name) const { return folder_ / name; }
  bool has(const std::string& name) const { return fs::exists(path(name)); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories(path(name).parent_path());
    std::ofstream(path(name)) << text;
  }

  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // In place of g++: notes its arguments, one a line, and does what `body` says.
  void write_compiler(const std::string& body) const {
    write("g++", "#!/bin/sh\nprintf '%s\\n' \"$@\" ---- >> calls\n" + body + "\n");
    fs::permissions(path("g++"), fs::perms::owner_all);
  }

  Result run(const std::string& command) const {
    const std::string line = "cd '" + folder_.string() + "' && (export LC_ALL=C; " + command +
                             ") > .output 2> .errors < /dev/null";
    const int status = std::system(line.c_str());
    return {WEXITSTATUS(status), read(".output"), read(".errors")};
  }

  Result compile(const std::string& arguments) const {
    return run("'" + program + "' " + arguments);
  }

 private:
  fs::path folder_;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace emulator::compiler::testing
