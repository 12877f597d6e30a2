#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "compiler/text/cuda_text.hpp"

/// \file
/// `asm("...")`: the host's machine code in host functions, a GPU's (PTX) in kernels.

namespace emulator::compiler::ptx {

/// A statement `asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));` with PTX in it.
struct InlineAssembly {
  std::size_t close;        ///< token: the last parenthesis
  std::string replacement;  ///< an expression: what is read here, or a call that is an error
};

/// The statement that the word `asm` at token i begins; nothing if its text is not PTX.
///
/// A special register that means something here is read; everything else becomes a call that the
/// compiler refuses where it is really made, so that a program which only mentions it compiles.
std::optional<InlineAssembly> inline_assembly(const text::CudaText& text, std::size_t i);

}  // namespace emulator::compiler::ptx
