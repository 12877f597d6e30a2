#pragma once
#pragma GCC system_header
/// \file
/// The part of cuSOLVER for dense matrices that the emulator does not model. A program that uses it
/// compiles; each of these functions says once on stderr that it is not modelled, and returns
/// CUSOLVER_STATUS_NOT_SUPPORTED. cusolverDn.h includes this file.

using cusolverDnLoggerCallback_t = void (*)(int logLevel, const char* functionName,
                                            const char* message);

namespace emulator::detail {

/// Prints "emulator: <what> is not modelled", the first time for each.
cusolverStatus_t cusolver_not_modelled(const char* what);

}  // namespace emulator::detail

#define EMULATOR_UNMODELLED(name)                          \
  template <class... Arguments>                            \
  cusolverStatus_t name(const Arguments&...) {             \
    return emulator::detail::cusolver_not_modelled(#name); \
  }
#define EMULATOR_UNMODELLED_ALL(name)    \
  EMULATOR_UNMODELLED(cusolverDnS##name) \
  EMULATOR_UNMODELLED(cusolverDnD##name) \
  EMULATOR_UNMODELLED(cusolverDnC##name) \
  EMULATOR_UNMODELLED(cusolverDnZ##name)

// On an H200 that of CUDA 13.0 succeeds, and does nothing.
EMULATOR_UNMODELLED_ALL(sytri)
EMULATOR_UNMODELLED_ALL(sytri_bufferSize)
EMULATOR_UNMODELLED(cusolverDnGetEmulationStrategy)
EMULATOR_UNMODELLED(cusolverDnLoggerForceDisable)
EMULATOR_UNMODELLED(cusolverDnLoggerOpenFile)
EMULATOR_UNMODELLED(cusolverDnLoggerSetCallback)
EMULATOR_UNMODELLED(cusolverDnLoggerSetFile)
EMULATOR_UNMODELLED(cusolverDnLoggerSetLevel)
EMULATOR_UNMODELLED(cusolverDnLoggerSetMask)
EMULATOR_UNMODELLED(cusolverDnSetEmulationStrategy)
EMULATOR_UNMODELLED(cusolverDnXlarft)
EMULATOR_UNMODELLED(cusolverDnXlarft_bufferSize)

#undef EMULATOR_UNMODELLED_ALL
#undef EMULATOR_UNMODELLED
