#pragma once
#pragma GCC system_header
/// \file
/// The part of cuRAND's host functions that the emulator does not model. A program that uses it
/// compiles; each of these functions says once on stderr that it is not modelled, and returns
/// CURAND_STATUS_TYPE_ERROR. curand.h includes this file.

namespace emulator::detail {

/// Prints "emulator: <what> is not modelled", the first time for each.
curandStatus_t curand_not_modelled(const char* what);

}  // namespace emulator::detail

#define EMULATOR_UNMODELLED(name)                        \
  template <class... Arguments>                          \
  curandStatus_t name(const Arguments&...) {             \
    return emulator::detail::curand_not_modelled(#name); \
  }

EMULATOR_UNMODELLED(curandCreatePoissonDistribution)
EMULATOR_UNMODELLED(curandDestroyDistribution)
EMULATOR_UNMODELLED(curandGenerateBinomial)
EMULATOR_UNMODELLED(curandGenerateBinomialMethod)
EMULATOR_UNMODELLED(curandGeneratePoissonMethod)

#undef EMULATOR_UNMODELLED
