#pragma once
/// \file
/// The types that cuTENSOR's operations can compute with.

#include "cutensor.h"
#include "libraries/cutensor/objects.hpp"

/// What a value of cutensorComputeDescriptor_t points to.
struct cutensorComputeDescriptor {
  emulator::cutensor::Precision precision;
  bool is_there = true;  ///< on a device as ours
};

namespace emulator::cutensor {

/// One of CUTENSOR_COMPUTE_DESC_…, or null for any other pointer.
const cutensorComputeDescriptor* known_descriptor(cutensorComputeDescriptor_t descriptor);

}  // namespace emulator::cutensor
