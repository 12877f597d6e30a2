#pragma once
/// \file
/// How elements of several ranks become one.

#include <nccl.h>

#include <cstddef>
#include <span>
#include <vector>

#include "libraries/common/runtime.hpp"

namespace emulator::nccl {

using namespace libraries;

/// Bytes of an element; 0 if that is no type.
std::size_t bytes_of(ncclDataType_t type);

/// What an operation makes of its elements.
struct Reduction {
  ncclRedOp_t op = ncclSum;            ///< one of NCCL's own
  const void* scalar = nullptr;        ///< on the device: each element is multiplied by it first
  std::vector<std::byte> immediate{};  ///< the same, if the host has given it
};

/// Each rank has its factor, and all other things are the same.
struct Contribution {
  const void* elements;
  const Reduction* reduction;
};

/// Writes `count` elements to `result`, the ranks' in their order.
void reduce(std::span<const Contribution> ranks, std::size_t count, ncclDataType_t type,
            void* result);

}  // namespace emulator::nccl
