#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cuda_text.hpp"

/// \file
/// How much shared memory a kernel has, and how large its parameters are: counted by the compiler.

namespace emulator {

/// Where to write, in a kernel, what makes the compiler count a kernel's parameters or its shared
/// memory.
struct SizeCheck {
  std::size_t after;  ///< token
  std::string text;
};

/// Checks for static shared variables (48 KB) and parameters (32,764 bytes) in the order of the
/// text.
std::vector<SizeCheck> kernel_size_checks(const CudaText& text);

}  // namespace emulator
