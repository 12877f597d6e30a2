#pragma once
#pragma GCC system_header
/// \file
/// The part of cuTENSOR 2 that the emulator does not model. A program that uses it compiles; each
/// of these functions says once on stderr that it is not modelled, and returns
/// CUTENSOR_STATUS_NOT_SUPPORTED.

#include "cutensor/types.h"

namespace emulator::detail {

/// Prints "emulator: <what> is not modelled", the first time for each.
cutensorStatus_t cutensor_not_modelled(const char* what);

}  // namespace emulator::detail

#define EMULATOR_UNMODELLED(name)                          \
  template <class... Arguments>                            \
  cutensorStatus_t name(const Arguments&...) {             \
    return emulator::detail::cutensor_not_modelled(#name); \
  }

// clang-format off
// Caches in files.
EMULATOR_UNMODELLED(cutensorHandleReadPlanCacheFromFile)
EMULATOR_UNMODELLED(cutensorHandleWritePlanCacheToFile)
EMULATOR_UNMODELLED(cutensorReadKernelCacheFromFile)
EMULATOR_UNMODELLED(cutensorWriteKernelCacheToFile)

// Tensors of which only some blocks are there.
EMULATOR_UNMODELLED(cutensorBlockSparseContract)
EMULATOR_UNMODELLED(cutensorCreateBlockSparseContraction)
EMULATOR_UNMODELLED(cutensorCreateBlockSparseTensorDescriptor)
EMULATOR_UNMODELLED(cutensorDestroyBlockSparseTensorDescriptor)
// clang-format on

#undef EMULATOR_UNMODELLED
