#pragma once
/// \file
/// How cuBLAS's functions are defined: each of the four forms that emulator/cublas_forms.h declares
/// calls the template of that name in emulator::blas, with its name for messages, then the
/// parameters.

#define DEFINE_CUBLAS_FORM(symbol, name, prefix, Real, Int, PARAMETERS, ...)       \
  cublasStatus_t symbol PARAMETERS(Real, Int) {                                    \
    return emulator::blas::name<Real>("cublas" prefix #name, handle, __VA_ARGS__); \
  }

#define DEFINE_CUBLAS_V2(name, PARAMETERS, ...)                                                 \
  DEFINE_CUBLAS_FORM(cublasS##name##_v2, name, "S", float, int, PARAMETERS, __VA_ARGS__)        \
  DEFINE_CUBLAS_FORM(cublasD##name##_v2, name, "D", double, int, PARAMETERS, __VA_ARGS__)       \
  DEFINE_CUBLAS_FORM(cublasS##name##_v2_64, name, "S", float, int64_t, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_FORM(cublasD##name##_v2_64, name, "D", double, int64_t, PARAMETERS, __VA_ARGS__)

#define DEFINE_CUBLAS(name, PARAMETERS, ...)                                                 \
  DEFINE_CUBLAS_FORM(cublasS##name, name, "S", float, int, PARAMETERS, __VA_ARGS__)          \
  DEFINE_CUBLAS_FORM(cublasD##name, name, "D", double, int, PARAMETERS, __VA_ARGS__)         \
  DEFINE_CUBLAS_FORM(cublasS##name##_64, name, "S", float, int64_t, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_FORM(cublasD##name##_64, name, "D", double, int64_t, PARAMETERS, __VA_ARGS__)

#define DEFINE_CUBLAS_INDEX(name, PARAMETERS, ...)                                                \
  DEFINE_CUBLAS_FORM(cublasIs##name##_v2, name, "Is", float, int, PARAMETERS, __VA_ARGS__)        \
  DEFINE_CUBLAS_FORM(cublasId##name##_v2, name, "Id", double, int, PARAMETERS, __VA_ARGS__)       \
  DEFINE_CUBLAS_FORM(cublasIs##name##_v2_64, name, "Is", float, int64_t, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_FORM(cublasId##name##_v2_64, name, "Id", double, int64_t, PARAMETERS, __VA_ARGS__)
