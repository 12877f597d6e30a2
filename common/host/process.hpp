/// @file
/// Running another program: its output line by line while it runs, and no child left behind.
#pragma once

#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "processes/child.hpp"

namespace course::tool {

/// Where a line of a child came from.
enum class Stream { out, err };

using processes::ExitStatus;

/// We were asked to stop (Ctrl-C, say) while a child ran. The child and what it had started are
/// gone by then.
class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  const char* what() const noexcept override { return "interrupted"; }
  int signal() const { return signal_; }

 private:
  int signal_;
};

/// Called for each line of a child's output, without the line break.
using LineHandler = std::function<void(Stream, std::string_view)>;
/// Called now and then with the time since the child started.
using TickHandler = std::function<void(std::chrono::milliseconds)>;

/// Where and how a child runs, if not as we do.
struct RunOptions {
  std::filesystem::path folder;  ///< to run in; ours if empty
  /// Variables that it has besides ours, or in their place. An empty value takes one away.
  std::vector<std::pair<std::string, std::string>> environment;
  std::chrono::milliseconds time_limit{0};  ///< its whole process group ends then; 0: no limit
  /// Its standard output is a terminal, if there is one to be had: there ninja says what it begins,
  /// not only what it has done. Lines come as without, what steers the terminal is left out.
  bool on_terminal = false;
};

/// Runs a command and waits for its end. Its standard input is empty.
/// @param command the program, looked up in PATH if it has no slash, and its arguments
/// @throws Failure if it cannot be started, Interrupted on SIGINT, SIGTERM or SIGHUP
ExitStatus run_process(const std::vector<std::string>& command, const LineHandler& on_line,
                       const TickHandler& on_tick = {}, const RunOptions& options = {});

/// Runs a command that has our terminal and our streams, and waits for its end.
/// @return its exit status; 128 and a signal's number if one ended it
/// @throws Failure if it cannot be started, Interrupted on SIGINT, SIGTERM or SIGHUP once it ended
int run_in_foreground(const std::vector<std::string>& command);

/// Becomes another program, which so has our terminal, our signals and our exit status.
/// @throws Failure if it cannot be started
[[noreturn]] void replace_process(const std::vector<std::string>& command);

}  // namespace course::tool
