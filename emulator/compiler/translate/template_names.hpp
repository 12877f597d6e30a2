#pragma once

#include <cstddef>
#include <vector>

#include "compiler/text/cuda_text.hpp"

/// \file
/// `Caster<T>::cast<8>(x)` where T is a template's parameter. C++ wants `Caster<T>::template
/// cast<8>(x)`, and g++ insists; nvcc takes both. Likewise `template <class T> A<T>::type f();`,
/// which is C++ since 2020, and `typename A<T>::type` before.

namespace emulator::compiler::translate {

/// The tokens `::` after which the word `template` is missing, or would do no harm.
std::vector<std::size_t> missing_template_words(const text::CudaText& text);

/// The tokens after which the word `typename` is missing, where nothing but a type can be.
std::vector<std::size_t> missing_typename_words(const text::CudaText& text);

}  // namespace emulator::compiler::translate
