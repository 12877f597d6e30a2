#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compiler/text/line_map.hpp"
#include "compiler/text/token_text.hpp"

/// \file
/// Calls of CUDA's functions whose results a program throws away. That is the commonest reason why
/// an error goes unnoticed, and in the result of the call itself there is nothing to be seen of it.

namespace emulator::compiler::translate {

/// A call that makes up a whole statement, as tokens.
struct DiscardedCall {
  std::size_t begin;  ///< `cudaFree`, or the `::` before it
  std::size_t close;  ///< the last `)`
  std::string name;   ///< as the program has it: `cublasSgemv`, not `cublasSgemv_v2`
};

/// All such calls, in the order of their ends.
///
/// - A function is CUDA's if a system header declares that it returns a cudaError_t or a
///   cublasStatus_t, and its name begins with `cuda` or `cublas`.
/// - `(void)cudaFree(p);` throws the result away on purpose, and does not count.
///   Nor do calls of cudaGetLastError() and cudaPeekAtLastError(): they look.
/// - Nor are calls that are named otherwise than `f(...)` or `::f(...)`, and those in system
///   headers.
std::vector<DiscardedCall> discarded_calls(const text::TokenText& text, const text::LineMap& lines);

}  // namespace emulator::compiler::translate
