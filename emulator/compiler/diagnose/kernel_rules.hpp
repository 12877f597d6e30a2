#pragma once

#include <string>
#include <vector>

#include "compiler/text/cuda_text.hpp"
#include "compiler/text/line_map.hpp"

/// \file
/// Rules of CUDA's for kernels, which g++ cannot know and nvcc has: those that a program's tokens
/// tell. clang knows more of them (clang_check.hpp), where it is installed.

namespace emulator::compiler::diagnose {

/// What is wrong with the user's kernels, a line each: `file.cu:12:5: error: ...`. When in doubt,
/// nothing: a name that stands for several things is left alone. `is_separate`: nvcc would have
/// been told -rdc=true.
///
/// - A kernel returns void, is not a member, has no `...`, no `noexcept` and is not main().
/// - Code for the device does not throw, nor try, and kernels have no typeid, dynamic_cast or
///   thread_local.
/// - A kernel is launched, not called, and nothing but a kernel is launched.
/// - A kernel does not call a function that the same program defines for the host alone, or that is
///   CUDA's for the host, nor read an array of the host's constants.
/// - Code for the device launches kernels only where it is compiled to be linked (-rdc=true).
/// - Nobody writes a `__constant__` variable by its name; nobody initialises a `__shared__` one.
std::vector<std::string> kernel_rule_violations(const text::CudaText& text,
                                                const text::LineMap& lines,
                                                bool is_separate = false);

}  // namespace emulator::compiler::diagnose
