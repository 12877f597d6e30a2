/// @file
/// The library's products of any format: cublasGemmStridedBatchedEx(), and cublasLtMatmul() for
/// FP8.
#pragma once

#include <cublasLt.h>

#include "course.hpp"
#include "cublas.hpp"
#include "tensor_cores/formats.hpp"

namespace hopper {

template <class T>
constexpr cudaDataType type_of() {
  if constexpr (std::is_same_v<T, float>) return CUDA_R_32F;
  if constexpr (std::is_same_v<T, Half>) return CUDA_R_16F;
  if constexpr (std::is_same_v<T, Bf16>) return CUDA_R_16BF;
  return std::is_same_v<T, E4m3> ? CUDA_R_8F_E4M3 : CUDA_R_8F_E5M2;
}

/// As in chapter 08: read as column-major, our C is C^T = B^T A^T.
template <class T, class C>
void cublas_batch(const ProductOf<T, T, C>& g, cublasMath_t mode = CUBLAS_DEFAULT_MATH) {
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    CUDA_CHECK(cublasCreate(&made));
    return made;
  }();
  CUDA_CHECK(cublasSetMathMode(handle, mode));
  CUDA_CHECK(cublasGemmStridedBatchedEx(
      handle, g.major_B == Major::k ? CUBLAS_OP_T : CUBLAS_OP_N,
      g.major_A == Major::k ? CUBLAS_OP_N : CUBLAS_OP_T, g.n, g.m, g.k, &g.alpha, g.B, type_of<T>(),
      static_cast<int>(g.ldb), g.stride_B, g.A, type_of<T>(), static_cast<int>(g.lda), g.stride_A,
      &g.beta, g.C, type_of<C>(), static_cast<int>(g.ldc), g.stride_C, g.batches,
      sizeof(T) == 4 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

/// A product of K-major matrices of FP8, planned for one problem: cublasLt's first choice.
template <class A, class B, class C>
class LtProduct {
 public:
  /// @param fast FP8's sums are the tensor core's own; otherwise they are promoted
  LtProduct(const ProductOf<A, B, C>& g, bool fast) : g_(g), workspace_(bytes, course::unset) {
    CUDA_CHECK(cublasLtCreate(&handle_));
    CUDA_CHECK(cublasLtMatmulDescCreate(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<std::int8_t>(fast));
    set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, g.scale_B.values);
    set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, g.scale_A.values);
    const auto k = static_cast<std::uint64_t>(g.k);
    const auto m = static_cast<std::uint64_t>(g.m);
    const auto n = static_cast<std::uint64_t>(g.n);
    CUDA_CHECK(cublasLtMatrixLayoutCreate(&B_, type_of<B>(), k, n, g.ldb));
    CUDA_CHECK(cublasLtMatrixLayoutCreate(&A_, type_of<A>(), k, m, g.lda));
    CUDA_CHECK(cublasLtMatrixLayoutCreate(&C_, type_of<C>(), n, m, g.ldc));
    cublasLtMatmulPreference_t preference = nullptr;
    CUDA_CHECK(cublasLtMatmulPreferenceCreate(&preference));
    CUDA_CHECK(cublasLtMatmulPreferenceSetAttribute(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes));
    int found = 0;
    CUDA_CHECK(cublasLtMatmulAlgoGetHeuristic(handle_, product_, B_, A_, C_, C_, preference, 1,
                                              &plan_, &found));
    CUDA_CHECK(cublasLtMatmulPreferenceDestroy(preference));
    if (found == 0) throw course::Error("cublasLt has no product of such matrices");
  }
  LtProduct(const LtProduct&) = delete;
  LtProduct& operator=(const LtProduct&) = delete;
  ~LtProduct() {
    CUDA_WARN(cublasLtMatrixLayoutDestroy(A_));
    CUDA_WARN(cublasLtMatrixLayoutDestroy(B_));
    CUDA_WARN(cublasLtMatrixLayoutDestroy(C_));
    CUDA_WARN(cublasLtMatmulDescDestroy(product_));
    CUDA_WARN(cublasLtDestroy(handle_));
  }

  void operator()() {
    CUDA_CHECK(cublasLtMatmul(handle_, product_, &g_.alpha, g_.B, B_, g_.A, A_, &g_.beta, g_.C, C_,
                              g_.C, C_, &plan_.algo, workspace_, bytes, nullptr));
  }

 private:
  template <class Value>
  void set(cublasLtMatmulDescAttributes_t attribute, Value value) {
    CUDA_CHECK(cublasLtMatmulDescSetAttribute(product_, attribute, &value, sizeof value));
  }

  static constexpr std::size_t bytes = std::size_t{64} << 20;
  ProductOf<A, B, C> g_;
  course::DeviceArray<unsigned char> workspace_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t A_ = nullptr, B_ = nullptr, C_ = nullptr;
  cublasLtMatmulHeuristicResult_t plan_{};
};

}  // namespace hopper
