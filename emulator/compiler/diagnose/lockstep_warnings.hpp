#pragma once

#include <string>
#include <string_view>
#include <vector>

/// \file
/// Kernels from before Volta whose lanes count on running in step. g++ takes them, and so does
/// nvcc; but the result is wrong, here for certain and on a GPU of today perhaps.

namespace emulator::compiler::diagnose {

/// A line for each function of the user's in which lanes hand values on through volatile memory,
/// as in `s[t] += s[t + 2]; s[t] += s[t + 1];`, without __syncwarp() between two such steps:
/// `file.cu:12:5: warning: ...`. When in doubt, nothing.
std::vector<std::string> lockstep_warnings(std::string_view preprocessed);

}  // namespace emulator::compiler::diagnose
