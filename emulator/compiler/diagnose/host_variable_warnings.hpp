#pragma once

#include <string>
#include <string_view>
#include <vector>

/// \file
/// Host code that uses a variable of the device's by its name. On a GPU the host has a copy of its
/// own, which no kernel sees; nvcc warns, and here the program would seem to work.

namespace emulator::compiler::diagnose {

/// A line for each variable of the user's with `__device__` or `__constant__` that host code reads,
/// writes, or passes to a kernel: `file.cu:12:5: warning: ...`. When in doubt, nothing.
std::vector<std::string> host_variable_warnings(std::string_view preprocessed);

}  // namespace emulator::compiler::diagnose
