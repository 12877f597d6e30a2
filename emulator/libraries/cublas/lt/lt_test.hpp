#pragma once
/// \file
/// What the tests of cuBLASLt share. It works with NVIDIA's library as well.

#include <cublasLt.h>

#include <cstdint>

#include "libraries/cublas/typed_test.hpp"

namespace cublas_test::lt {

/// A library's object for the length of a scope.
template <class T, cublasStatus_t (*destroy)(T)>
class Owned {
 public:
  template <class Create>
  explicit Owned(Create create) {
    REQUIRE(create(&value_) == success);
  }
  ~Owned() { destroy(value_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  operator T() const { return value_; }

 private:
  T value_ = nullptr;
};
using LtHandle = Owned<cublasLtHandle_t, cublasLtDestroy>;
using Layout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Desc = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;
using TransformDesc = Owned<cublasLtMatrixTransformDesc_t, cublasLtMatrixTransformDescDestroy>;

inline auto layout(cudaDataType type, int rows, int columns, int ld) {
  return [=](cublasLtMatrixLayout_t* created) {
    return cublasLtMatrixLayoutCreate(created, type, static_cast<std::uint64_t>(rows),
                                      static_cast<std::uint64_t>(columns), ld);
  };
}
inline auto product_of(cublasComputeType_t compute, cudaDataType scale) {
  return [=](cublasLtMatmulDesc_t* created) {
    return cublasLtMatmulDescCreate(created, compute, scale);
  };
}

template <class T>
void set(cublasLtMatrixLayout_t of, cublasLtMatrixLayoutAttribute_t attribute, T value) {
  CHECK(cublasLtMatrixLayoutSetAttribute(of, attribute, &value, sizeof value) == success);
}
template <class T>
void set(cublasLtMatmulDesc_t of, cublasLtMatmulDescAttributes_t attribute, T value) {
  CHECK(cublasLtMatmulDescSetAttribute(of, attribute, &value, sizeof value) == success);
}

/// Of that many bytes of workspace for an algorithm, which on a GPU may want some.
class Workspace {
 public:
  Workspace() { REQUIRE(cudaMalloc(&data_, bytes) == cudaSuccess); }
  ~Workspace() { cudaFree(data_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  void* get() const { return data_; }
  static constexpr std::size_t bytes = std::size_t{4} << 20;

 private:
  void* data_ = nullptr;
};

template <class T>
struct As;
template <>
struct As<float> {
  static constexpr auto type = CUDA_R_32F;
  static constexpr auto compute = CUBLAS_COMPUTE_32F;
};
template <>
struct As<double> {
  static constexpr auto type = CUDA_R_64F;
  static constexpr auto compute = CUBLAS_COMPUTE_64F;
};

/// Stored in an order, with a leading dimension.
template <class T>
std::vector<T> stored_in(cublasLtOrder_t order, const Dense<T>& a, int ld) {
  return stored(order == CUBLASLT_ORDER_ROW ? op(a, op_t) : a, ld);
}

inline constexpr int m = 4;
inline constexpr int n = 6;
inline constexpr int k = 8;
inline constexpr int apart = 16;  // leading dimension

/// D = alpha A B + beta C for floats, by a description that the action changes.
struct Product {
  LtHandle handle{cublasLtCreate};
  Desc desc{product_of(CUBLAS_COMPUTE_32F, CUDA_R_32F)};
  Layout a_layout{layout(CUDA_R_32F, m, k, apart)};
  Layout b_layout{layout(CUDA_R_32F, k, n, apart)};
  Layout c_layout{layout(CUDA_R_32F, m, n, apart)};
  Layout d_layout{layout(CUDA_R_32F, m, n, apart)};
  Dense<float> a{m, k, 1};
  Dense<float> b{k, n, 2};
  Dense<float> c{m, n, 3};
  Array<float> a_there{stored(a, apart)};
  Array<float> b_there{stored(b, apart)};
  Array<float> c_there{stored(c, apart)};
  Array<float> d_there{stored(Dense<float>(m, n, 4), apart)};
  Workspace workspace;
  float alpha = 2;
  float beta = 3;

  cublasStatus_t run(const cublasLtMatmulAlgo_t* algo = nullptr) const {
    return run(&alpha, &beta, algo);
  }
  cublasStatus_t run(const float* alpha_pointer, const float* beta_pointer,
                     const cublasLtMatmulAlgo_t* algo = nullptr) const {
    return cublasLtMatmul(handle, desc, alpha_pointer, a_there.get(), a_layout, b_there.get(),
                          b_layout, beta_pointer, c_there.get(), c_layout, d_there.get(), d_layout,
                          algo, workspace.get(), Workspace::bytes, nullptr);
  }
  Dense<float> expected() const { return product(alpha, a, b, beta, c); }
};

}  // namespace cublas_test::lt
