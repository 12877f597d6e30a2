#pragma once
/// \file
/// Source files as findings and listings show them.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/rooms.hpp"

namespace emulator::base {

/// Reads source files, each once.
class SourceFiles {
 public:
  /// The file's lines, ready to print; null if it cannot be read.
  const std::vector<std::string>* find(const std::string& file);

 private:
  std::map<std::string, std::optional<std::vector<std::string>>> files_;
};

}  // namespace emulator::base
