#pragma once
/// \file
/// The g++ behind emucc, and the libraries that it finds.

#include <string>

#include "compiler/nvcc/parts.hpp"
#include "compiler/nvcc/request.hpp"

namespace emulator::compiler::nvcc {

/// The g++ to compile and link with: that of -ccbin, or else the first of the list of parts that is
/// there and new enough.
/// \throws UsageError if there is none
std::string find_compiler(const Request& request, const Parts& parts);

/// What the compiler says of its version, "12" or "12.2.0"; empty if it cannot be run.
std::string compiler_version(const std::string& compiler);

/// \param flag that links a library of the system, `-l:NAME`
/// \param part of the emulator that needs it
/// \throws UsageError if the compiler does not find it; the message says what to install
void check_system_library(const std::string& flag, const std::string& part, const Request& request,
                          const std::string& compiler);

}  // namespace emulator::compiler::nvcc
