#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The g++ command that emulator-compile is given, and those that it makes of it.

namespace emulator::compiler::preprocess {

using Arguments = std::vector<std::string>;

/// A command that compiles one C++ source.
struct Compilation {
  std::string compiler;
  Arguments flags;       ///< what both steps get
  Arguments preprocess;  ///< what only the preprocessor gets: flags for dependency files
  std::string source;
  std::string object;  ///< the output
  bool instrument = true;
  std::string architecture = "750";  ///< as nvcc 13 without -arch
  bool all_features = false;         ///< as in sm_90a: and what no later one need have
  std::string cccl;        ///< where NVIDIA's core libraries are, should they be missed; or empty
  bool adds_cccl = false;  ///< they were missed
  bool has_cccl = false;   ///< the source includes them, wherever they are
  std::vector<std::string> device_headers;  ///< included for the device alone: to come first
};

/// Which of the two programs that a CUDA source is.
enum class Pass { host, device };

/// The word by which g++ calls emulator-compile, with a command of its own: its compiler proper or
/// the assembler.
inline constexpr std::string_view step_option = "--emulator-step";

/// Replaces each `@file` by the arguments in the file; one that cannot be read stays, as with g++.
/// \throws LauncherError if files include each other
Arguments expand_response_files(const Arguments& arguments);

/// Reads a g++ command; nothing if it does anything but compile one C++ source.
std::optional<Compilation> read_command(const Arguments& command);

/// Whether the command line says itself what `__CUDA_ARCH__` is, for host and device alike.
bool defines_architecture(const Compilation& compilation);

/// Whether functions become part of the kernels that call them (see emulator/qualifiers.h).
bool has_flat_kernels(const Compilation& compilation);

/// Whether device code is to be linked, nvcc's -rdc=true.
bool is_separate(const Compilation& compilation);

/// Whether a module of the driver API is made.
bool is_module(const Compilation& compilation);

Arguments preprocess_command(const Compilation& compilation, Pass pass);
Arguments compile_command(const Compilation& compilation);

/// A file's name without its folder.
std::string base_name(const std::string& path);

}  // namespace emulator::compiler::preprocess
