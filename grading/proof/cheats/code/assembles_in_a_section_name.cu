// A cheat for 01a: assembler, by way of the name of a section.
// expected: 0 points
// told: accesses that nobody counted: 4 bytes of device memory are read

#include "check.hpp"

[[gnu::used,
  gnu::section(".data\n\t.text\n\t.type fetch,@function\nfetch:\n\tmovss (%rdi),%xmm0\n\tret\n"
               "\t.type leave_it,@function\nleave_it:\n\tmovss %xmm0,(%rdi)\n\tret\n"
               "\t.globl fetch\n\t.globl leave_it\n\t.section .data #")]] int place = 1;
extern "C" __device__ float fetch(const float*);
extern "C" __device__ void leave_it(float*, float);

__device__ float get(const float* p) {
  return fetch(p);
}
__device__ void put(float* p, float value) {
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
