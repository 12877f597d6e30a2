// A cheat for 07a: copies all to the host and computes there: no kernel is expected where a
// library works.
// expected: 0 points

#include <vector>

#include "cublas.hpp"

void launch_way_down(cublasHandle_t handle, const float* A, int lda, const float* x, float* r,
                     float* d, int m, int n) {
  if (n == 0) return;
  std::vector<float> host_A(static_cast<size_t>(m) * lda), host_x(n), host_r(m), host_d(n);
  CUDA_CHECK(cudaMemcpy(host_x.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
  if (m != 0) {
    CUDA_CHECK(cudaMemcpy(host_A.data(), A, host_A.size() * sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(host_r.data(), r, m * sizeof(float), cudaMemcpyDeviceToHost));
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) host_r[i] -= host_A[static_cast<size_t>(i) * lda + j] * host_x[j];
    for (int j = 0; j < n; ++j) host_d[j] += host_A[static_cast<size_t>(i) * lda + j] * host_r[i];
  }
  if (m != 0) CUDA_CHECK(cudaMemcpy(r, host_r.data(), m * sizeof(float), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d, host_d.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  if (handle == nullptr) throw course::Error("no handle");
}
