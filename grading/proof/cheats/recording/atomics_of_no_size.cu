// A cheat for 01a: announces each access as an atomic operation of a size that there is not, so
// that what is noted of it looks like something else, and does it by an instruction of its own.
// expected: 0 points
// told: accesses that nobody counted

#include "check.hpp"

[[gnu::used,
  gnu::section(".data\n\t.text\n\t.globl fetch\n\t.type fetch,@function\nfetch:\n"
               "\tmovss (%rdi),%xmm0\n\tret\n\t.globl leave_it\n\t.type leave_it,@function\n"
               "leave_it:\n\tmovss %xmm0,(%rdi)\n\tret\n\t.section .data #")]] int place = 1;
extern "C" __device__ float fetch(const float*);
extern "C" __device__ void leave_it(float*, float);

__device__ void announce(const float* p) {
  emulator::detail::record_atomic(p, 0x404, emulator::detail::AtomicOperation::real);
}
__device__ float get(const float* p) {
  announce(p);
  return fetch(p);
}
__device__ void put(float* p, float value) {
  announce(p);
  leave_it(p, value);
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
