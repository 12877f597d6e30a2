#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/preprocess/command.hpp"

/// \file
/// Asking clang, where it is installed, whether a program keeps CUDA's rules (clang_check.hpp).

namespace emulator::compiler::diagnose {

/// The clang to ask: what EMULATOR_CLANG names, else the first in PATH. Empty if there is none, or
/// if EMULATOR_CLANG is "none".
std::string find_clang();

/// The command by which clang reads the source as CUDA for the device, with the emulator's headers
/// in place of NVIDIA's. It compiles nothing.
/// \param preprocessed the host's text of g++ -E: it tells which headers the source asks for, and
///                     where g++ has its standard library
preprocess::Arguments clang_command(const preprocess::Compilation& compilation,
                                    const std::string& clang, std::string_view preprocessed);

/// The files that a preprocessed text stems from, system headers aside, in normal form.
std::vector<std::string> user_files(std::string_view preprocessed);

/// The same path for the same file, whatever wrote it.
std::string normal_path(std::string_view path);

}  // namespace emulator::compiler::diagnose
