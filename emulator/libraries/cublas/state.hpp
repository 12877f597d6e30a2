#pragma once
/// \file
/// The state of the emulator's cuBLAS: what handles remember.

#include <optional>

#include "base/host_state.hpp"
#include "emulator/libraries/cublas.h"
#include "libraries/common/device_work.hpp"

namespace emulator::cublas {

using namespace libraries;

/// What a handle remembers.
struct CublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  /// How floats may be made out of smaller numbers; here they never are.
  cublasEmulationStrategy_t emulation_strategy = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  int sm_count_target = 0;  ///< 0: all there are
};

/// The state of a live handle. Any thread may ask at any time.
std::optional<CublasContext> find_context(cublasHandle_t handle);

}  // namespace emulator::cublas
