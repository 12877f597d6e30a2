/// @file
/// Showing how far a long step is: in place on a terminal, sparingly elsewhere.
#pragma once

#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace course::tool {

/// A step that ninja ("[3/12] Building …") or make ("[ 25%] Building …") reports.
struct BuildStep {
  std::string reached;  ///< "3/12", "25%"
  std::string what;     ///< "Building …"
};

/// Reads a line of ninja's or make's output; nothing if it reports no step.
std::optional<BuildStep> parse_build_step(std::string_view line);

/// Whether a step makes something. ninja also looks at lists of files, and make names what is there
/// already.
bool makes_something(const BuildStep& step);

/// What a step does, in words: "compiling cli/main.cpp", "linking bin/course".
std::string step_text(const BuildStep& step);

/// Which steps are at work, as ninja tells a terminal: each line that names a step is its
/// beginning, or, the second time, its end. On its own, and make always, it names each once.
class RunningSteps {
 public:
  void add(const BuildStep& step);
  /// What has been at work longest, in words; what was named last, if all have ended.
  std::string text() const;

 private:
  std::vector<BuildStep> running_;
  BuildStep last_;
};

/// "7 s", "2 min 05 s".
std::string duration_text(std::chrono::milliseconds duration);

/// One step after another. On a terminal the current one is a line that changes in place and goes
/// away when the step is done; elsewhere each step is a line that stays, written when there is
/// something to do, and again every ten seconds with how far it is.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param width columns of the terminal; longer lines are cut
  Progress(std::ostream& out, bool is_terminal, std::size_t width = 80)
      : out_(out), is_terminal_(is_terminal), width_(width) {}
  ~Progress() { done(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool is_terminal() const { return is_terminal_; }
  /// Begins a step; shows nothing yet.
  void begin(const std::string& step);
  /// The step is at work, and this far ("[3/12]", "4 s").
  void update(const std::string& detail, Clock::time_point now = Clock::now());
  /// The step is over; other output may follow.
  void done();

 private:
  std::ostream& out_;
  bool is_terminal_;
  std::size_t width_;
  std::string step_;
  std::string shown_;
  Clock::time_point last_;
};

}  // namespace course::tool
