// A cheat for 01a: copies all to the host and computes there; a kernel with just the traffic
// that is asked for hides it.
// expected: 0 points

#include <vector>

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * lda;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += row[j] * x[j];
  r[i] = b[i] - sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  const size_t elements = static_cast<size_t>(m) * lda;
  std::vector<float> host_A(elements), host_x(n), host_b(m), host_r(m);
  CUDA_CHECK(cudaMemcpyAsync(host_b.data(), b, m * sizeof(float), cudaMemcpyDefault, nullptr));
  if (n != 0) {
    CUDA_CHECK(cudaMemcpy2D(host_A.data(), lda * sizeof(float), A, lda * sizeof(float),
                            lda * sizeof(float), m, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpyAsync(host_x.data(), x, n * sizeof(float), cudaMemcpyDefault, nullptr));
  }
  for (int i = 0; i < m; ++i) {
    host_r[i] = host_b[i];
    for (int j = 0; j < n; ++j) host_r[i] -= host_A[static_cast<size_t>(i) * lda + j] * host_x[j];
  }
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpyAsync(r, host_r.data(), m * sizeof(float), cudaMemcpyDefault, nullptr));
}
