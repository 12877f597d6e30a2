// Lesson 8: cuBLASLt, the library beneath cublasSgemm(). You describe a product, ask for
// algorithms, and run one of them any number of times. What comes after the product, a bias and
// ReLU, can be part of it: an epilogue.
#pragma once

#include <cublasLt.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "matrices.hpp"
#include "tour.hpp"

constexpr int most = 10;  // algorithms that we ask for

// (Our own class, since nvcc cannot have the library's in a std::vector: it has no name.)
struct Algorithm {
  cublasLtMatmulAlgo_t how;
};

// D = A B, or max(A B + bias, 0): column-major and without gaps. bias has m elements, one for each
// row, as layers of a network need it.
class LtProduct {
 public:
  LtProduct(int m, int n, int k, const float* bias = nullptr) {
    CUDA_CHECK(cublasLtCreate(&handle_));
    // The type of the computation, and the type of alpha and beta.
    CUDA_CHECK(cublasLtMatmulDescCreate(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    if (bias != nullptr) {
      // The most common mistake: the size of the argument. The attribute is the pointer itself.
      const cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
      CUDA_CHECK(cublasLtMatmulDescSetAttribute(product_, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                                sizeof epilogue));
      CUDA_CHECK(cublasLtMatmulDescSetAttribute(product_, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias,
                                                sizeof bias));
    }
    // Rows, columns and leading dimension of each matrix as it is stored.
    CUDA_CHECK(cublasLtMatrixLayoutCreate(&A_, CUDA_R_32F, m, k, m));
    CUDA_CHECK(cublasLtMatrixLayoutCreate(&B_, CUDA_R_32F, k, n, k));
    CUDA_CHECK(cublasLtMatrixLayoutCreate(&D_, CUDA_R_32F, m, n, m));
    const size_t bytes = workspace_.bytes();
    CUDA_CHECK(cublasLtMatmulPreferenceCreate(&preference_));
    CUDA_CHECK(cublasLtMatmulPreferenceSetAttribute(
        preference_, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes));
  }
  LtProduct(const LtProduct&) = delete;
  LtProduct& operator=(const LtProduct&) = delete;
  ~LtProduct() {
    CUDA_WARN(cublasLtMatmulPreferenceDestroy(preference_));
    CUDA_WARN(cublasLtMatrixLayoutDestroy(D_));
    CUDA_WARN(cublasLtMatrixLayoutDestroy(B_));
    CUDA_WARN(cublasLtMatrixLayoutDestroy(A_));
    CUDA_WARN(cublasLtMatmulDescDestroy(product_));
    CUDA_WARN(cublasLtDestroy(handle_));
  }

  // At most ten algorithms, the one expected to be fastest first. The list may also be empty: not
  // every epilogue is available for every shape.
  std::vector<Algorithm> algorithms() const {
    cublasLtMatmulHeuristicResult_t found[most] = {};
    int count = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle_, product_, A_, B_, D_, D_,
                                                                 preference_, most, found, &count);
    std::vector<Algorithm> all;
    if (status == CUBLAS_STATUS_NOT_SUPPORTED) return all;
    CUDA_CHECK(status);
    for (int i = 0; i < count; ++i) {
      if (found[i].state == CUBLAS_STATUS_SUCCESS) all.push_back({found[i].algo});
    }
    return all;
  }

  void launch(const Algorithm& algorithm, const float* A, const float* B, float* D) const {
    char* const workspace = const_cast<course::DeviceArray<char>&>(workspace_);
    CUDA_CHECK(cublasLtMatmul(handle_, product_, &one, A, A_, B, B_, &zero, D, D_, D, D_,
                              &algorithm.how, workspace, workspace_.bytes(), nullptr));
  }

 private:
  course::DeviceArray<char> workspace_{size_t{32} << 20, course::unset};
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t A_ = nullptr;
  cublasLtMatrixLayout_t B_ = nullptr;
  cublasLtMatrixLayout_t D_ = nullptr;
  cublasLtMatmulPreference_t preference_ = nullptr;
};

// The same in a separate kernel: D is read and written once more. x runs along a column, which is
// contiguous here.
__global__ void add_bias_and_relu(float* D, const float* bias, int m, size_t elements) {
  const size_t e = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (e >= elements) return;
  const float value = D[e] + bias[e % m];
  D[e] = value < 0.0F ? 0.0F : value;  // a NaN stays a NaN
}

void launch_bias_and_relu(float* D, const float* bias, int m, int n) {
  const size_t elements = idx2c(0, n, m);
  if (elements == 0) return;
  constexpr unsigned block = 256;
  add_bias_and_relu<<<static_cast<unsigned>((elements - 1) / block + 1), block>>>(D, bias, m,
                                                                                  elements);
  CUDA_CHECK_LAUNCH();
}

// The fastest of all that the heuristics name: they estimate, and we measure.
template <class Launch>
size_t fastest_of(const std::vector<Algorithm>& all, Launch launch) {
  size_t best = 0;
  double best_time = 0;
  for (size_t a = 0; a < all.size(); ++a) {
    course::EventTimer timer;
    double least = 0;
    for (int run = 0; run < 5; ++run) {
      timer.start();
      launch(all[a]);
      const double time = timer.stop();
      least = run == 0 ? time : std::min(least, time);
    }
    if (a != 0 && least >= best_time) continue;
    best = a;
    best_time = least;
  }
  return best;
}

void lt(Tour& tour, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;
  const Matrix<float> A = exact_matrix<float>(m, k, m, k + 1, 1);
  const Matrix<float> B = exact_matrix<float>(k, n, k, k + 1, 2);
  const std::vector<float> bias = course::exact_vector(static_cast<size_t>(m), 4, 3);
  const Matrix<float> before(m, n, m);
  Matrix<float> product(m, n, m);
  reference_multiply(
      1, [&](int i, int p) { return A(i, p); }, [&](int p, int j) { return B(p, j); }, k, 0,
      product);
  Matrix<float> active = product;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) active(i, j) = std::max(product(i, j) + bias[i], 0.0F);
  }
  const course::DeviceArray<float> d_A(A.elements);
  const course::DeviceArray<float> d_B(B.elements);
  const course::DeviceArray<float> d_bias(bias);
  const course::Work work = course::gemm_work(m, n, k);

  const auto show = [&](const std::string& name, const LtProduct& described,
                        const Matrix<float>& expected) {
    const auto all = described.algorithms();
    if (all.empty()) {
      tour.note(name + ": no algorithm for this shape");
      return;
    }
    course::DeviceArray<float> d_D(before.elements);
    const std::string count =
        name + ": algorithms found " + std::to_string(all.size()) + " of " + std::to_string(most);
    tour.rung(name + ", first", work, before.elements, expected.elements,
              [&](float* D) { described.launch(all[0], d_A, d_B, D); });
    if (course::on_emulator) {  // it has one algorithm, and no meaningful clock
      tour.note(count);
      return;
    }
    const size_t best =
        fastest_of(all, [&](const Algorithm& one) { described.launch(one, d_A, d_B, d_D); });
    tour.note(count + ", the fastest is number " + std::to_string(best + 1));
    tour.rung(name + ", fastest", work, before.elements, expected.elements,
              [&](float* D) { described.launch(all[best], d_A, d_B, D); });
  };
  const auto multiply_first = [&](float* D) {
    multiply(tour.handle(), CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, 1, d_A, m, d_B, k, 0, D, m);
  };
  tour.rung("gemm", work, before.elements, product.elements, multiply_first);
  show("Lt", LtProduct(m, n, k), product);
  tour.rung("gemm, bias and ReLU", work, before.elements, active.elements, [&](float* D) {
    multiply_first(D);
    launch_bias_and_relu(D, d_bias, m, n);
  });
  show("Lt, fused", LtProduct(m, n, k, d_bias), active);
}
