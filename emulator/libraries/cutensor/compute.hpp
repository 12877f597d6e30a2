#pragma once
/// \file
/// What cuTENSOR's operations compute, on arguments that were checked.

#include <complex>
#include <vector>

#include "libraries/cutensor/objects.hpp"

namespace emulator::cutensor {

/// \param data  of each operand; what has a factor of 0 is not read
/// \param factors  alpha and those that follow it
void compute(const Operation& operation, const std::vector<const void*>& data, void* output,
             const std::vector<std::complex<double>>& factors);

}  // namespace emulator::cutensor
