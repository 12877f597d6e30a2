// A cheat for 06a: calls the hook for a load of 16 bytes by another name, and loads four single
// elements: from wherever a row starts, where no load of 16 bytes can begin.
// expected: correct 5, safe 2, efficient 0

#include "check.hpp"

extern "C" {
static __device__ void announce(const void*)
    __attribute__((weakref("__ts"
                           "an_read16")));
}
[[gnu::used, gnu::section(".data\n\t.text\n\t.globl fetch\n\t.type fetch,@function\nfetch:\n"
                          "\tmovss (%rdi),%xmm0\n\tret\n\t.section .data #")]] int place = 1;
extern "C" __device__ float fetch(const float*);

__global__ void squared_lengths(const float* A, float* s, int m, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= m) return;
  const float* const a = A + static_cast<size_t>(row) * n;
  float sum = 0;
  for (int j = 4 * lane; j < n; j += 128) {
    if (j + 4 <= n) {
      announce(a + j);
      for (int k = 0; k < 4; ++k) {
        const float value = fetch(a + j + k);
        sum += value * value;
      }
    } else {
      for (int k = j; k < n; ++k) sum += a[k] * a[k];
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xFFFFFFFFU, sum, distance);
  }
  if (lane == 0) s[row] = sum;
}

void launch_squared_lengths(const float* A, float* s, int m, int n) {
  if (m == 0) return;
  squared_lengths<<<(m + 7) / 8, 256>>>(A, s, m, n);
  CUDA_CHECK_LAUNCH();
}
