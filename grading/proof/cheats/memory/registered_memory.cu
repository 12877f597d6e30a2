// A cheat for 01a: has memory of the host registered, so that kernels can write it, and
// computes on the host.
// expected: refused: cudaHostRegister

#include <vector>

#include "check.hpp"

__global__ void residual() {}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  std::vector<float> all(m);
  CUDA_CHECK(cudaHostRegister(all.data(), m * sizeof(float), cudaHostRegisterMapped));
  residual<<<1, 1>>>();
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaHostUnregister(all.data()));
}
