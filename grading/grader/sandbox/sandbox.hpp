/// @file
/// The walls around what a student wrote, made of bubblewrap, prlimit and setpriv: command lines,
/// and no code of our own.
///
/// Two kinds of room. In a **workshop** a student's file is compiled, looked at and linked: it
/// holds the system's compilers, our headers, and one folder to write in. In a **cell** the program
/// runs: it holds the program, the system's libraries, and a small folder in memory. Neither has a
/// network, other processes, a home folder, the exercises or the solutions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course::tool::grading {

/// How well submissions are isolated.
struct Isolation {
  std::string level = "full";             ///< "full", "partial" or "none"
  std::vector<std::string> not_enforced;  ///< what is not, if it is not "full"
};

/// What may be used up in a room, each number for one process.
struct RoomLimits {
  int cpu_seconds = 60;
  long long data_bytes = 0;  ///< private memory that can be written
  long long file_bytes = 0;
  int files = 0;      ///< open at once
  int processes = 0;  ///< and threads, in the room
};

/// What is seen in a workshop besides the system's compilers.
struct Workshop {
  std::filesystem::path source;     ///< the student's file
  std::filesystem::path output;     ///< a folder, which can be written
  std::string compiler_wrapper;     ///< a program that asks for /proc/self/exe
  std::vector<std::string> to_see;  ///< files and folders, under their own names
  std::vector<std::string> hidden;  ///< folders that are empty, but for what is to be seen
};

/// What a cell holds besides if a witness watches the program in it: see grading/witness.
struct Watch {
  std::filesystem::path tool;    ///< the witness's folder
  std::filesystem::path map;     ///< what it must know of the program
  std::filesystem::path report;  ///< a file, to which it writes
};

/// The tools, found once.
class Sandbox {
 public:
  /// What is at the fixed places in a room.
  static constexpr char source_folder[] = "/submission";
  static constexpr char output_folder[] = "/output";
  static constexpr char program_file[] = "/submission/program";

  /// Finds the tools and tries both rooms.
  /// @param trust whether to go on without those that are not there or do not work
  /// @throws Failure with status 2 if submissions cannot be isolated and `trust` is not given
  explicit Sandbox(bool trust);

  const Isolation& isolation() const { return isolation_; }
  /// Whether rooms are walled in. If not, programs run in them with limits at most, and see all
  /// that we see, under its own name.
  bool has_walls() const { return !bwrap_.empty(); }

  /// The command that runs a tool in a workshop, in the folder of the source.
  std::vector<std::string> in_workshop(const Workshop& workshop,
                                       const std::vector<std::string>& command) const;
  std::vector<std::string> in_workshop(const Workshop& workshop,
                                       const std::vector<std::string>& command,
                                       const RoomLimits& limits) const;

  /// The command that runs a program in a cell. A descriptor that its parent leaves open goes
  /// through, and it ends with its parent.
  /// @param libraries what it needs that is outside the system's folders
  std::vector<std::string> in_cell(const std::filesystem::path& program,
                                   const std::vector<std::string>& libraries,
                                   const RoomLimits& limits) const;

  /// The same for a program that a witness watches.
  std::vector<std::string> in_watched_cell(const std::filesystem::path& program,
                                           const std::vector<std::string>& libraries,
                                           const RoomLimits& limits, const Watch& watch) const;

  /// A folder, or a file, that the user in the rooms can write to, if we are root and hence not
  /// that user.
  void give_away(const std::filesystem::path& folder) const;

 private:
  std::vector<std::string> before_walls() const;
  void add_cell(std::vector<std::string>& words, const std::filesystem::path& program,
                const std::vector<std::string>& libraries) const;
  std::vector<std::string> limited(const RoomLimits& limits) const;
  std::string try_rooms() const;

  std::string bwrap_;
  std::string prlimit_;
  std::string setpriv_;
  std::string env_;
  bool is_root_ = false;
  bool has_own_proc_ = true;  ///< whether a room can have a /proc of its own
  bool has_sizes_ = true;     ///< whether this bubblewrap can limit a folder in memory
  Isolation isolation_;
};

/// Where a program of this name is: in PATH, or where the system has such; empty if nowhere.
std::string find_program(const std::string& name);

/// The limits of a workshop and of a cell whose cases may take that many seconds.
RoomLimits workshop_limits();
RoomLimits cell_limits(int seconds);

}  // namespace course::tool::grading
