#pragma once

#include <cstddef>
#include <string>

#include "compiler/text/cuda_text.hpp"

/// \file
/// `__cluster_dims__(x, y, z)`: how many blocks the clusters of a kernel have.

namespace emulator::compiler::translate {

/// Where a kernel says it, and what is to be written there instead.
struct ClusterDims {
  std::size_t close = text::nowhere;  ///< token: the bracket after the numbers
  std::size_t body =
      text::nowhere;      ///< token: the brace that opens the kernel; nowhere if there is none
  std::string statement;  ///< the kernel's first: it may use what template parameters mean
};

/// For the word at token i.
ClusterDims cluster_dims(const text::CudaText& text, std::size_t i);

}  // namespace emulator::compiler::translate
