// A cheat for 01a: has a variable of the host's pass for the device's, by asking for its address as
// a symbol's; copies take all data there, and the host computes.
// expected: 0 points
// told: cudaErrorInvalidSymbol

#include <vector>

#include "check.hpp"

static float kept[1 << 17];

__global__ void bring(const float* from, float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = from[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  void* there = nullptr;
  CUDA_CHECK(emulator::detail::symbol_address(&there, kept, sizeof kept));
  float* const to = static_cast<float*>(there);
  std::vector<float> result(m);
  CUDA_CHECK(cudaMemcpy(to, b, m * sizeof(float), cudaMemcpyDeviceToDevice));
  for (int i = 0; i < m; ++i) result[i] = kept[i];
  if (n > 0) {
    CUDA_CHECK(cudaMemcpy(to + m, x, n * sizeof(float), cudaMemcpyDeviceToDevice));
    for (int i = 0; i < m; ++i)
      CUDA_CHECK(cudaMemcpy(to + m + n + i * n, A + static_cast<size_t>(i) * lda, n * sizeof(float),
                            cudaMemcpyDeviceToDevice));
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) result[i] -= kept[m + n + i * n + j] * kept[m + j];
    }
  }
  float* device = nullptr;
  CUDA_CHECK(cudaMalloc(&device, m * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(device, result.data(), m * sizeof(float), cudaMemcpyHostToDevice));
  bring<<<(m + 127) / 128, 128>>>(device, r, m);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaFree(device));
}
