#pragma once
/// \file
/// Running a command, and showing it.

#include <string>

#include "compiler/nvcc/request.hpp"
#include "processes/child.hpp"
#include "processes/pipes.hpp"

namespace emulator::compiler::nvcc {

/// Runs a program and waits for it.
/// \param on_error_line is shown each line that the program writes to stderr, which is passed on
///   all the same
/// \throws std::system_error if it cannot be started
processes::ExitStatus run(const Arguments& command,
                          const processes::LineCutter::Taker& on_error_line);

/// The command as a line that a shell would take.
std::string shell_line(const Arguments& command);

}  // namespace emulator::compiler::nvcc
