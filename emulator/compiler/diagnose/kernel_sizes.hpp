#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/text/cuda_text.hpp"

/// \file
/// How much shared memory a kernel has, how large its parameters are, and how much constant memory
/// a program has: counted by the compiler.

namespace emulator::compiler::diagnose {

/// Where to write what makes the compiler count.
struct SizeCheck {
  std::size_t after;  ///< token
  std::string text;
};

/// Checks for static shared variables (48 KB), parameters (32,764 bytes) and __constant__ variables
/// (64 KB) in the order of the text.
std::vector<SizeCheck> kernel_size_checks(const text::CudaText& text);

}  // namespace emulator::compiler::diagnose
