#pragma once

#include <cstddef>
#include <map>
#include <string_view>

#include "compiler/text/cuda_text.hpp"

/// \file
/// Kernels with parameters that may have a destructor. Their launches say which kernel it is, so
/// that neither copies nor destructors of such a parameter run in threads (object_launch.h).

namespace emulator::compiler::translate {

/// Kernels with a parameter by value that may be of a class, by their names, and how many template
/// parameters each has. Only those that a name and as many template arguments are enough for: no
/// other function has that name.
using ObjectKernels = std::map<std::string_view, std::size_t>;

ObjectKernels object_kernels(const text::CudaText& text);

/// How many arguments `<A, B<C>>` has, tokens [open, end); 0 where there is no `<`.
std::size_t count_template_arguments(const text::CudaText& text, std::size_t open, std::size_t end);

}  // namespace emulator::compiler::translate
