#pragma once
#pragma GCC system_header
/// \file
/// How cuBLAS's functions are declared here: each exists for float and for double, and with sizes
/// of 32 and of 64 bits. A macro lists a function's parameters once, with `Real` and `Int` open.

#include <cstdint>

#include "emulator/cublas_types.h"

/// cublasSaxpy, cublasSaxpy_64, cublasDaxpy, cublasDaxpy_64: those that CUDA's headers call
/// cublasSaxpy_v2 and so on.
#define EMULATOR_CUBLAS_V2(name, PARAMETERS)                       \
  cublasStatus_t cublasS##name##_v2 PARAMETERS(float, int);        \
  cublasStatus_t cublasD##name##_v2 PARAMETERS(double, int);       \
  cublasStatus_t cublasS##name##_v2_64 PARAMETERS(float, int64_t); \
  cublasStatus_t cublasD##name##_v2_64 PARAMETERS(double, int64_t);

/// Likewise for functions that have always been as they are.
#define EMULATOR_CUBLAS(name, PARAMETERS)                       \
  cublasStatus_t cublasS##name PARAMETERS(float, int);          \
  cublasStatus_t cublasD##name PARAMETERS(double, int);         \
  cublasStatus_t cublasS##name##_64 PARAMETERS(float, int64_t); \
  cublasStatus_t cublasD##name##_64 PARAMETERS(double, int64_t);

/// cublasIsamax, cublasIdamax and so on, whose result is an index.
#define EMULATOR_CUBLAS_INDEX(name, PARAMETERS)                     \
  cublasStatus_t cublasIs##name##_v2 PARAMETERS(float, int);        \
  cublasStatus_t cublasId##name##_v2 PARAMETERS(double, int);       \
  cublasStatus_t cublasIs##name##_v2_64 PARAMETERS(float, int64_t); \
  cublasStatus_t cublasId##name##_v2_64 PARAMETERS(double, int64_t);
