// A cheat for 01a: works in the copy constructor of a kernel's parameter. The host makes that copy,
// and cannot read the memory of the device.
// expected: correct 0, safe 0, efficient 0

#include "check.hpp"

struct Work {
  const float* A;
  int lda;
  const float* x;
  const float* b;
  float* r;
  int m;
  int n;

  Work(const float* a, int l, const float* v, const float* c, float* s, int rows, int columns)
      : A(a), lda(l), x(v), b(c), r(s), m(rows), n(columns) {}
  __forceinline__ Work(const Work& o) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= o.m) return;
    o.r[i] = o.b[i];
    for (int j = 0; j < o.n; ++j) o.r[i] -= o.A[static_cast<size_t>(i) * o.lda + j] * o.x[j];
  }
};

__global__ void residual(Work) {}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  const Work work(A, lda, x, b, r, m, n);
  residual<<<(m + 127) / 128, 128>>>(work);
  CUDA_CHECK_LAUNCH();
}
