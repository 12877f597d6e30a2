#pragma once
#pragma GCC system_header
/// \file
/// The part of cuBLAS 13 that the emulator does not model. A program that uses it compiles; each of
/// these functions says once on stderr that it is not modelled, and returns
/// CUBLAS_STATUS_NOT_SUPPORTED.

#include "emulator/libraries/cublas_types.h"

namespace emulator::detail {

/// Prints "emulator: <what> is not modelled", the first time for each.
cublasStatus_t cublas_not_modelled(const char* what);

}  // namespace emulator::detail

#define EMULATOR_UNMODELLED_ONE(name)                    \
  template <class... Arguments>                          \
  cublasStatus_t name(const Arguments&...) {             \
    return emulator::detail::cublas_not_modelled(#name); \
  }
/// A function of two forms: sizes of 32 bits and of 64.
#define EMULATOR_UNMODELLED(name)       \
  EMULATOR_UNMODELLED_ONE(cublas##name) \
  EMULATOR_UNMODELLED_ONE(cublas##name##_64)
/// A function for float and double, and for their complex numbers.
#define EMULATOR_UNMODELLED_ALL(name) \
  EMULATOR_UNMODELLED(S##name)        \
  EMULATOR_UNMODELLED(D##name)        \
  EMULATOR_UNMODELLED(C##name)        \
  EMULATOR_UNMODELLED(Z##name)

// clang-format off
// Matrices.
EMULATOR_UNMODELLED(Uint8gemmBias)

// Many small problems at once.
EMULATOR_UNMODELLED_ALL(gelsBatched)
EMULATOR_UNMODELLED_ALL(geqrfBatched)
EMULATOR_UNMODELLED(HSHgemvBatched)
EMULATOR_UNMODELLED(HSHgemvStridedBatched)
EMULATOR_UNMODELLED(HSSgemvBatched)
EMULATOR_UNMODELLED(HSSgemvStridedBatched)
EMULATOR_UNMODELLED(TSSgemvBatched)
EMULATOR_UNMODELLED(TSSgemvStridedBatched)
EMULATOR_UNMODELLED(TSTgemvBatched)
EMULATOR_UNMODELLED(TSTgemvStridedBatched)

// Doubles out of integers.
EMULATOR_UNMODELLED_ONE(cublasGetEmulationSpecialValuesSupport)
EMULATOR_UNMODELLED_ONE(cublasGetFixedPointEmulationMantissaBitCountPointer)
EMULATOR_UNMODELLED_ONE(cublasGetFixedPointEmulationMantissaBitOffset)
EMULATOR_UNMODELLED_ONE(cublasGetFixedPointEmulationMantissaControl)
EMULATOR_UNMODELLED_ONE(cublasGetFixedPointEmulationMaxMantissaBitCount)
EMULATOR_UNMODELLED_ONE(cublasSetEmulationSpecialValuesSupport)
EMULATOR_UNMODELLED_ONE(cublasSetFixedPointEmulationMantissaBitCountPointer)
EMULATOR_UNMODELLED_ONE(cublasSetFixedPointEmulationMantissaBitOffset)
EMULATOR_UNMODELLED_ONE(cublasSetFixedPointEmulationMantissaControl)
EMULATOR_UNMODELLED_ONE(cublasSetFixedPointEmulationMaxMantissaBitCount)
// clang-format on

#undef EMULATOR_UNMODELLED_ALL
#undef EMULATOR_UNMODELLED
#undef EMULATOR_UNMODELLED_ONE
