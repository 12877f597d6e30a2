/// @file
/// The list of chapters that the build writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace course::tool {

/// One chapter of the course.
struct Chapter {
  std::string number;             ///< "01"
  std::string name;               ///< "01_global", the name of its folder
  std::string title;              ///< one line
  std::filesystem::path program;  ///< what its target builds
  std::string target;             ///< of the build
  bool ladder = false;            ///< whether it is a rung of the ladder
  /// The same chapter, fast: not instrumented; empty on the cuda backend.
  std::filesystem::path fast_program;
  std::string fast_target;
  /// The kernel that the tour shows of a chapter that is not a rung of the ladder; empty: all of
  /// them.
  std::string best_kernel;
  int devices = 0;  ///< that the emulator gives its program; 0: as ever

  bool on_tour() const { return ladder || number == "00" || !best_kernel.empty(); }
};

/// Reads chapters.json, in its order.
/// @throws Failure if it cannot be read or is not such a list
std::vector<Chapter> read_chapters(const std::filesystem::path& file);

/// Finds a chapter by its number, with or without leading zeros, or by its name.
/// @throws Failure with status 2, naming what may have been meant
const Chapter& find_chapter(const std::vector<Chapter>& chapters, const std::string& wanted);

/// The chapters of the tour: 00, where everything begins, the rungs of the ladder, and those that
/// show their best kernel there.
std::vector<Chapter> tour_chapters(const std::vector<Chapter>& chapters);

/// The chapters as a table, for `course list`, in this many columns of the screen.
std::string chapter_table(const std::vector<Chapter>& chapters, std::size_t width = 0);

}  // namespace course::tool
