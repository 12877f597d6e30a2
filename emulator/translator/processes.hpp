#pragma once

#include <string>
#include <string_view>
#include <vector>

/// \file
/// The processes that emulator-compile starts, one at a time, and the signals that end a build.

namespace emulator {

/// Lets the launcher outlive the signals that end a build for as long as it takes to clean up. A
/// child that runs gets them, too.
void catch_signals();

/// The last of them that came; 0 if none did.
int received_signal();

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { close(); }
  int number() const { return number_; }
  void set(int number) { number_ = number; }
  void close();

 private:
  int number_;
};

/// \throws LauncherError
struct Pipe {
  Pipe();
  FileDescriptor read;
  FileDescriptor write;
};

/// Starts a program with one of its standard streams connected to a pipe.
/// \throws LauncherError
void start(std::vector<std::string> arguments, int pipe_end, int stream);

/// Waits for the child and returns its exit status, the shell's way if a signal ended it.
int finish();

std::string read_all(int file);
void write_all(int file, std::string_view text);

/// Goes on as another program.
/// \throws LauncherError
[[noreturn]] void become(std::vector<std::string> command);

}  // namespace emulator
