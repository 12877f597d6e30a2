#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/text/line_map.hpp"
#include "compiler/text/token_text.hpp"

/// \file
/// Kernels that a program casts to `void*`, to launch them by that: `cudaLaunchCooperativeKernel(
/// (void*)kernel, ...)`. What a `void*` leads to nobody can say, so the runtime is told where the
/// type is still known: at the cast, or where a variable gets the kernel's address.

namespace emulator::compiler::translate {

/// `(void*)kernel<T>`, `reinterpret_cast<void*>(kernel<T>)`, or `= &kernel<T>`.
struct KernelCast {
  std::size_t before;  ///< token: the `)`, `(` or `=` that the operand follows
  std::size_t last;    ///< token: the operand's last
  std::string name;    ///< the kernel's, without template arguments
};

/// All casts to a pointer to void whose operand names a kernel of this text, and those of whatever
/// is first among the arguments of cudaLaunchKernel() and cudaLaunchCooperativeKernel(); in the
/// order of the text. Those in system headers are not the program's.
std::vector<KernelCast> kernel_casts(const text::TokenText& text, const text::LineMap& lines);

}  // namespace emulator::compiler::translate
