/// @file
/// From a student's file to a program: compiled, looked at and linked in a workshop.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/object/allowed_symbols.hpp"
#include "grader/sandbox/sandbox.hpp"
#include "host/checkout.hpp"
#include "host/exercises/exercise_list.hpp"
#include "host/process.hpp"

namespace course::tool::grading {

/// The functions that a submission must define, mangled: what the linker misses without it.
/// @param scratch a folder for the attempt
/// @throws Failure if the linker misses nothing, and so is not what it should be
std::vector<std::string> asked_functions(const Checkout& checkout, const ExerciseList& list,
                                         const Exercise& exercise,
                                         const std::filesystem::path& scratch);

/// What an exercise needs of others; `allow` is what the teacher allows besides.
Permissions permissions_of(const Exercise& exercise, const std::vector<std::string>& allow);

/// How making a submission's program went.
struct SubmissionBuild {
  std::string state = "graded";      ///< or "does not compile", "refused"
  std::string reason;                ///< one line, if it is not "graded"
  std::vector<std::string> details;  ///< messages of the compiler or the linker
  std::filesystem::path program;
  std::filesystem::path map;           ///< what a witness must know of it; empty if there is none
  std::vector<std::string> libraries;  ///< that it needs from outside the system's folders
  bool ok() const { return state == "graded"; }
};

/// Makes the program of one exercise.
class Builder {
 public:
  Builder(const Checkout& checkout, const ExerciseList& list, const Exercise& exercise,
          const Sandbox& sandbox)
      : checkout_(checkout), list_(list), exercise_(exercise), sandbox_(sandbox) {}

  /// @param text of the student's file
  /// @param asked the functions that it must define
  /// @param folder an empty folder of its own, that others can look into
  /// @throws Failure if something of ours fails, Interrupted on Ctrl-C
  SubmissionBuild build(const std::string& text, const Permissions& needs,
                        const std::vector<std::string>& asked, const std::filesystem::path& folder,
                        const TickHandler& on_tick = {}) const;

  /// Tries whether a workshop sees what it must see.
  /// @throws Failure with status 2 if not
  void try_workshop(const std::filesystem::path& scratch) const;

 private:
  struct Room {
    Workshop workshop;
    TickHandler on_tick;
    std::string in;   ///< the folder of the source, as it is called in the room
    std::string out;  ///< the folder to write in
  };
  using Lines = std::vector<std::string>;

  [[nodiscard]] std::string program_script() const;
  Room room_in(const std::filesystem::path& folder) const;
  std::pair<ExitStatus, Lines> run(const Room& room, const Lines& command) const;
  Lines must_run(const Room& room, const Lines& command) const;
  SubmissionBuild compile(const Room& room) const;
  bool breaks_again(const Room& room, const Lines& compile, const std::string& how) const;
  std::optional<std::string> look_at_macros(const Room& room, const Lines& compile,
                                            const std::string& source) const;
  SubmissionBuild inspect(const Room& room, const Permissions& needs) const;
  SubmissionBuild seal(const Room& room, const std::vector<std::string>& asked) const;
  SubmissionBuild link(const Room& room) const;
  void write_map(const std::filesystem::path& made, const std::filesystem::path& map) const;

  const Checkout& checkout_;
  const ExerciseList& list_;
  const Exercise& exercise_;
  const Sandbox& sandbox_;
};

}  // namespace course::tool::grading
