// A cheat for 01a: launches as a kernel what is not one, but code of the emulator's that is some
// way from a function that it may call.
// expected: 0 points
// told: is to call the emulator's own code

#include "check.hpp"

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  float sum = b[i];
  for (int j = 0; j < n; ++j) sum -= A[static_cast<size_t>(i) * lda + j] * x[j];
  r[i] = sum;
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  // The first instruction that returns.
  const auto* code =
      reinterpret_cast<const unsigned char*>(static_cast<cudaError_t (*)()>(&cudaGetLastError));
  while (*code != 0xC3) ++code;
  emulator::detail::launch(
      "residual", {1, 1},
      {reinterpret_cast<void (*)(const void*)>(const_cast<unsigned char*>(code)), nullptr});
}
