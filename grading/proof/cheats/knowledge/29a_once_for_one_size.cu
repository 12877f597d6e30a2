// A cheat for 29a: x is read once for the size that was counted, and twice elsewhere.
// expected: correct 7, safe 2, efficient 0

#include <cuda_fp16.h>

#include "check.hpp"

constexpr int block = 128;
constexpr float larger = 2048.0F;  // the second half is stored times this

// x is high + low / 2048, as nearly as two halves can say it.
__global__ void split(const float* x, int n, __half* high, __half* low) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  const float value = x[i];
  const __half first = __float2half(value);
  high[i] = first;
  const float rest = (n == 4096 ? value : x[i]) - __half2float(first);
  low[i] = __float2half(rest * larger);
}

// x, high and low have n numbers, in device memory. Numbers of x are 0, or from 2^-12 to 2^15 in
// magnitude. n may be 0.
void launch_split(const float* x, int n, __half* high, __half* low) {
  if (n == 0) return;
  split<<<(n - 1) / block + 1, block>>>(x, n, high, low);
  CUDA_CHECK_LAUNCH();
}
