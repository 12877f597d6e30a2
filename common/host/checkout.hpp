/// @file
/// Where the program is: the sources it belongs to and the folder it was built in.
#pragma once

#include <filesystem>
#include <string>

namespace course::tool {

/// Paths that CMake knew when it built this program; tests put others in their place.
struct Checkout {
  std::filesystem::path source_dir;
  std::filesystem::path build_dir;
  std::string cmake = "cmake";  ///< the CMake that configured build_dir
  std::string ctest = "ctest";  ///< the ctest beside it

  std::filesystem::path chapter_list() const { return build_dir / "chapters.json"; }
  std::filesystem::path log_dir() const { return build_dir / "logs"; }
  std::filesystem::path result_dir() const { return build_dir / "results"; }
};

/// A path as a person reads it: relative if it is below the current folder.
std::string shown_path(const std::filesystem::path& path);

}  // namespace course::tool
