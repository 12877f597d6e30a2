#pragma once

#include <cstddef>
#include <string>

#include "cuda_text.hpp"

/// \file
/// `__cluster_dims__(x, y, z)`: how many blocks the clusters of a kernel have.

namespace emulator {

/// Where a kernel says it, and what is to be written there instead.
struct ClusterDims {
  std::size_t close = nowhere;  ///< token: the bracket behind the numbers
  std::size_t body = nowhere;  ///< token: the brace that opens the kernel; nowhere if there is none
  std::string statement;       ///< the kernel's first: it may use what template parameters mean
};

/// For the word at token i.
ClusterDims cluster_dims(const CudaText& text, std::size_t i);

}  // namespace emulator
