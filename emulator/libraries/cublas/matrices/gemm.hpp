#pragma once
/// \file
/// What the products of matrices share that types of elements are arguments of.

#include <complex>
#include <cstdint>
#include <type_traits>

#include "emulator/libraries/cublas.h"
#include "libraries/common/elements.hpp"
#include "libraries/common/numbers.hpp"
#include "libraries/cublas/state.hpp"

namespace emulator::cublas {

/// The types of cublasSgemm() and its like as arguments.
template <class T>
inline constexpr cudaDataType type_of = CUDA_R_32F;
template <>
inline constexpr cudaDataType type_of<double> = CUDA_R_64F;
template <>
inline constexpr cudaDataType type_of<std::complex<float>> = CUDA_C_32F;
template <>
inline constexpr cudaDataType type_of<std::complex<double>> = CUDA_C_64F;
template <>
inline constexpr cudaDataType type_of<Half> = CUDA_R_16F;
template <class T>
inline constexpr cublasComputeType_t compute_of =
    std::is_same_v<Real<T>, double> ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
template <>
inline constexpr cublasComputeType_t compute_of<Half> = CUBLAS_COMPUTE_16F;

/// The arguments that all functions for such products have.
struct Arguments {
  cublasOperation_t transa;
  cublasOperation_t transb;
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  const void* alpha;
  const void* beta;
  std::int64_t lda;
  std::int64_t ldb;
  std::int64_t ldc;
  cudaDataType a_type;
  cudaDataType b_type;
  cudaDataType c_type;
  cublasComputeType_t compute;
  cublasGemmAlgo_t algo = CUBLAS_GEMM_DEFAULT;
};

/// `count` products whose matrices' addresses are in arrays of the device.
/// \param host_factors  whether alpha and beta are on the host, whatever the pointer mode
cublasStatus_t gemm_batched(const char* function, cublasHandle_t handle, const Arguments& args,
                            const void* const* a, const void* const* b, void* const* c,
                            std::int64_t count, bool host_factors = false);

}  // namespace emulator::cublas
