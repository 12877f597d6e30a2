#pragma once
/// \file
/// Headers and functions of the CUDA toolkit that the emulator does not have.

#include <string>

namespace emulator::compiler::nvcc {

/// If the line is g++'s message that a header of the CUDA toolkit is missing, a function of the
/// driver API, or a name that a later CUDA than `version` has removed: what to say of it, in one
/// line. Otherwise empty.
std::string explain_error(const std::string& line, int version);

}  // namespace emulator::compiler::nvcc
