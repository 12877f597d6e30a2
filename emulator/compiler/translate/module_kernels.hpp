#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/text/cuda_text.hpp"

/// \file
/// The kernels of a module, which a program loads by the driver API and knows by their names.

namespace emulator::compiler::translate {

/// What is to be written after a kernel's definition.
struct ModuleKernel {
  std::size_t after;  ///< token: the kernel's closing brace
  std::string text;
};

/// For each kernel that has a body and is not a template, which no name would find.
std::vector<ModuleKernel> module_kernels(const text::CudaText& text);

}  // namespace emulator::compiler::translate
