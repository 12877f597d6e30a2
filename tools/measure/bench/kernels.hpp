/// @file
/// Every chapter's kernels: CMake writes the list, kernels.cpp, from the chapters that have a
/// measure.cu.
#pragma once

#include "measure/registry.hpp"

namespace course::measure {

/// Every chapter's kernels, in the order of the chapters.
Registry all_kernels();

}  // namespace course::measure
