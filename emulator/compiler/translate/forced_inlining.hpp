#pragma once

#include <cstddef>
#include <set>

#include "compiler/text/cuda_text.hpp"

/// \file
/// `__forceinline__` on functions that call themselves. nvcc takes that for a wish, g++ for a
/// promise that nobody can keep: an error.

namespace emulator::compiler::translate {

/// The tokens `always_inline` of functions that call themselves, be it by way of others. Functions
/// are told apart by their names alone: one too many is inlined if g++ thinks so.
std::set<std::size_t> recursive_forced_inlines(const text::CudaText& text);

}  // namespace emulator::compiler::translate
