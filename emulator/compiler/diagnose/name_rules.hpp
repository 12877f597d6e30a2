#pragma once

#include "compiler/diagnose/rule_messages.hpp"
#include "compiler/text/cuda_text.hpp"
#include "compiler/text/device_functions.hpp"

/// \file
/// Rules for what a program does with names: those of its kernels, of its functions and arrays for
/// the host, and of its `__constant__` variables.

namespace emulator::compiler::diagnose {

/// Adds what is wrong. A name that stands for several things is left alone.
void check_names(const text::CudaText& text, const text::DeviceFunctions& functions,
                 RuleMessages& messages);

}  // namespace emulator::compiler::diagnose
