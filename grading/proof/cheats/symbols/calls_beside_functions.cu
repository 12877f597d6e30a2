// A cheat for 01a: jumps into the middle of the emulator, at a distance from a function that it may
// call. What it finds there does nothing; what it could find is whatever the program has.
// expected: 0 points
// told: the code jumps into the emulator where it may not

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
  residual<<<(m + 127) / 128 + (m == 0 ? 1 : 0), 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  // The first instruction that returns.
  const auto* code =
      reinterpret_cast<const unsigned char*>(static_cast<cudaError_t (*)()>(&cudaGetLastError));
  while (*code != 0xC3) ++code;
  reinterpret_cast<void (*)()>(const_cast<unsigned char*>(code))();
}
