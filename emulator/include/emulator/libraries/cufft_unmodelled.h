#pragma once
#pragma GCC system_header
/// \file
/// The part of cuFFT that the emulator does not model. A program that uses it compiles; each of
/// these functions says once on stderr that it is not modelled, and returns CUFFT_NOT_IMPLEMENTED.
/// cufft.h includes this file.

namespace emulator::detail {

/// Prints "emulator: <what> is not modelled", the first time for each.
cufftResult cufft_not_modelled(const char* what);

}  // namespace emulator::detail

#define EMULATOR_UNMODELLED(name)                       \
  template <class... Arguments>                         \
  cufftResult name(const Arguments&...) {               \
    return emulator::detail::cufft_not_modelled(#name); \
  }

EMULATOR_UNMODELLED(cufftGetPlanPropertyInt64)
EMULATOR_UNMODELLED(cufftResetPlanProperty)
EMULATOR_UNMODELLED(cufftSetPlanPropertyInt64)

#undef EMULATOR_UNMODELLED
