#pragma once
/// \file
/// The state of the emulator's cuBLAS: what handles remember.

#include <optional>

#include "api/host_state.hpp"
#include "emulator/cublas.h"
#include "emulator/host_api.h"

namespace emulator::detail {

/// What a handle remembers.
struct CublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  int sm_count_target = 0;  ///< 0: all there are
};

/// The state of a live handle. Any thread may ask at any time.
std::optional<CublasContext> find_context(cublasHandle_t handle);

/// While one lives, this thread's last error is not the program's: the library's own calls of the
/// runtime leave no trace.
class QuietErrors {
 public:
  QuietErrors() : before_(cudaGetLastError()) {}
  ~QuietErrors() {
    cudaGetLastError();
    set_error(before_);
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  cudaError_t before_;
};

}  // namespace emulator::detail
