// A cheat for 01a: loads and stores by the processor's instruction for moving strings, hidden in
// the name of a section.
// expected: 0 points
// told: accesses that nobody counted

#include "check.hpp"

[[gnu::used,
  gnu::section(".data\n\t.text\n\t.globl carry\n\t.type carry,@function\ncarry:\n\tmov $4,%ecx\n"
               "\trep movsb\n\tret\n\t.section .data #")]] int place = 1;
extern "C" __device__ void carry(void* to, const void* from);

__device__ float get(const float* p) {
  float value;
  carry(&value, p);
  return value;
}
__device__ void put(float* p, float value) {
  carry(p, &value);
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
