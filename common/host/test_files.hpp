/// @file
/// Files and stand-in programs for tests.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "host/files.hpp"

namespace course::tool {

/// A folder with a space in its name, which is gone at the end of its life.
class TestFolder : public ScratchFolder {
 public:
  TestFolder() : ScratchFolder("course test") {}

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file;
  }

  /// A shell script that can be run.
  std::filesystem::path script(const std::string& name, const std::string& body) const {
    const std::filesystem::path file = write(name, "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }

  std::string read(const std::string& name) const {
    std::ifstream stream(path() / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
};

}  // namespace course::tool
