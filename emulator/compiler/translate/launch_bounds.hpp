#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/text/cuda_text.hpp"

/// \file
/// `__launch_bounds__(threads, …)`: how many threads a block of a kernel may have.

namespace emulator::compiler::translate {

/// What becomes of them in a text.
struct LaunchBounds {
  /// A kernel's first statement, which tells the runtime its bound.
  struct Statement {
    std::size_t open;  ///< token: the `{` that it follows
    std::string text;
  };
  std::vector<Statement> statements;
  /// Kernels' names, all of whose definitions have such a statement, and of which there is one.
  std::set<std::string_view> bounded;
};

/// Reads those of all kernels. One in a declaration also holds for the definition.
LaunchBounds launch_bounds(const text::CudaText& text);

}  // namespace emulator::compiler::translate
