// A cheat for 01a: loads and stores by instructions for eight numbers at once, of which seven are
// left out.
// expected: 0 points
// told: accesses that nobody counted: 4 bytes of device memory are read

#include "check.hpp"

// Their intrinsic functions are refused by name; the name of a section is not read.
[[gnu::used,
  gnu::section(".data\n\t.text\n\t.globl fetch\n\t.type fetch,@function\nfetch:\n"
               "\tvpxor %xmm2,%xmm2,%xmm2\n\tvpcmpeqd %xmm1,%xmm1,%xmm1\n"
               "\tvpsrldq $12,%xmm1,%xmm1\n\tvpxor %xmm0,%xmm0,%xmm0\n"
               "\tvgatherdps %ymm1,(%rdi,%ymm2,4),%ymm0\n\tret\n"
               "\t.globl leave_it\n\t.type leave_it,@function\nleave_it:\n"
               "\tvpcmpeqd %xmm1,%xmm1,%xmm1\n\tvpsrldq $12,%xmm1,%xmm1\n"
               "\tvmaskmovps %ymm0,%ymm1,(%rdi)\n\tret\n\t.section .data #")]] int place = 1;
extern "C" __device__ float fetch(const float*);
extern "C" __device__ void leave_it(float*, float);

__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  r[i] = fetch(&b[i]);  // so much is counted
  for (int j = 0; j < n; ++j) {
    leave_it(&r[i], fetch(&r[i]) - fetch(&A[static_cast<size_t>(i) * lda + j]) * fetch(&x[j]));
  }
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  residual<<<(m + 127) / 128, 128>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
}
