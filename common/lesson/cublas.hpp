/// @file
/// cuBLAS, with CUDA_CHECK for its calls as well:
///
///     cublasHandle_t handle = nullptr;
///     CUDA_CHECK(cublasCreate(&handle));
#pragma once

#include <cublas_v2.h>

#include "check.hpp"

namespace course::detail {

inline ErrorText error_text(cublasStatus_t status) {
  return {cublasGetStatusName(status), cublasGetStatusString(status)};
}

}  // namespace course::detail
