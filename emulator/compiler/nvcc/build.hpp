#pragma once
/// \file
/// The commands that a request stands for.

#include <string>
#include <vector>

#include "compiler/nvcc/parts.hpp"
#include "compiler/nvcc/request.hpp"

namespace emulator::compiler::nvcc {

struct Step {
  Arguments command;
  std::string makes;  ///< the file it writes; removed if the step fails
};

/// The commands, in order, and the file that they end in.
struct Plan {
  std::vector<Step> steps;
  std::string program;  ///< empty unless a program is made
};

/// \param folder for what is needed in between
/// \throws UsageError
Plan make_plan(const Request& request, const Parts& parts, const std::string& folder);

}  // namespace emulator::compiler::nvcc
