#pragma once
/// \file
/// Other programs: started, waited for, or taken our place.

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace processes {

/// A program, looked up in PATH if it has no slash, and its arguments.
using Command = std::vector<std::string>;

/// Where and with what a program runs, if not as we do.
struct Start {
  bool no_input = false;   ///< its standard input is empty
  int in = -1;             ///< what becomes its standard input; ours if negative
  int out = -1;            ///< the same of its standard output
  int err = -1;            ///< and of its standard error
  bool own_group = false;  ///< it leads a process group of its own
  std::string folder{};    ///< to run in; ours if empty
  /// Variables that it has besides ours, or in their place. An empty value takes one away.
  std::vector<std::pair<std::string, std::string>> environment{};
};

/// Starts a program.
/// \return the id of its process, for a Child
/// \throws std::system_error if it cannot be started
pid_t start(const Command& command, const Start& how = {});

/// How a process ended.
struct ExitStatus {
  int code = 0;            ///< what it returned, if it ended by itself
  int signal = 0;          ///< the signal that ended it, or 0
  bool timed_out = false;  ///< whoever started it ended it, since its time was up

  bool ok() const { return signal == 0 && code == 0 && !timed_out; }
  /// What a shell has in $?.
  int status() const { return signal == 0 ? code : 128 + signal; }
  /// As a phrase: "exit status 1", "killed by signal 11 (Segmentation fault)", "out of time".
  std::string text() const;
};

/// A child of ours. It lives on if the object does not, unless we wait for its end.
class Child {
 public:
  explicit Child(pid_t id) : id_(id) {}

  pid_t id() const { return id_; }
  /// Waits for its end.
  ExitStatus wait();
  /// Looks whether it has ended by now.
  bool has_ended();
  /// How it ended, as far as we have waited or looked.
  const std::optional<ExitStatus>& ending() const { return ending_; }

 private:
  void look(int options);

  pid_t id_;
  std::optional<ExitStatus> ending_;
};

/// What a program wrote to its standard output, and how it ended.
struct Output {
  std::string text;
  ExitStatus ending;
};

/// Runs a program to its end, which it reaches early if a signal is passed on (signal_watch.hpp).
/// \param err what becomes its standard error; ours if negative
/// \throws std::system_error if it cannot be started
Output output_of(const Command& command, int err = -1);

/// Becomes another program, which so has our terminal, our signals and our exit status.
/// \throws std::system_error if it cannot be started
[[noreturn]] void become(const Command& command);

}  // namespace processes
