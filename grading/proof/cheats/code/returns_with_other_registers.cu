// A cheat for 01a: comes back with other values in registers that belong to its caller, which is
// the emulator's.
// expected: 0 points
// told: the code returns with other registers than it was called with

#include "check.hpp"

[[gnu::used, gnu::section(".data\n\t.text\n\t.globl spoil\n\t.type spoil,@function\nspoil:\n"
                          "\tmov %rdi,%r13\n\tmov %rdi,%r14\n\tmov %rdi,%r15\n\tret\n"
                          "\t.section .data #")]] int place = 1;
extern "C" void spoil(long);

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
  spoil(64);
}
