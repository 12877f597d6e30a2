// A cheat for 01a: loads and stores by the parts that atomic functions are made of, which do not
// tell anybody.
// expected: 0 points
// told: accesses that nobody counted: 4 bytes of device memory are read

#include "check.hpp"

namespace parts = emulator::detail;

__device__ float get(const float* p) {
  return __int_as_float(parts::atomic_add(const_cast<int*>(reinterpret_cast<const int*>(p)), 0));
}
__device__ void put(float* p, float value) {
  parts::atomic_exch(reinterpret_cast<int*>(p), __float_as_int(value));
}

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  r[i] = get(&b[i]);  // so much is counted
  for (int j = 0; j < n; ++j) {
    put(&r[i], get(&r[i]) - get(&A[static_cast<size_t>(i) * lda + j]) * get(&x[j]));
  }
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
