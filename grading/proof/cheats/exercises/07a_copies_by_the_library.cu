// A cheat for 07a: copies all to the host by cuBLAS, and computes there.
// expected: 0 points

#include <vector>

#include "cublas.hpp"

void launch_way_down(cublasHandle_t handle, const float* A, int lda, const float* x, float* r,
                     float* d, int m, int n) {
  if (n == 0) return;
  std::vector<float> host_A(static_cast<size_t>(m) * lda), host_x(n), host_r(m), host_d(n);
  CUDA_CHECK(cublasGetVector(n, sizeof(float), x, 1, host_x.data(), 1));
  if (m != 0) {
    CUDA_CHECK(cublasGetMatrix(n, m, sizeof(float), A, lda, host_A.data(), lda));
    CUDA_CHECK(cublasGetVector(m, sizeof(float), r, 1, host_r.data(), 1));
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) host_r[i] -= host_A[static_cast<size_t>(i) * lda + j] * host_x[j];
    for (int j = 0; j < n; ++j) host_d[j] += host_A[static_cast<size_t>(i) * lda + j] * host_r[i];
  }
  if (m != 0) CUDA_CHECK(cublasSetVector(m, sizeof(float), host_r.data(), 1, r, 1));
  CUDA_CHECK(cublasSetVector(n, sizeof(float), host_d.data(), 1, d, 1));
  if (handle == nullptr) throw course::Error("no handle");
}
