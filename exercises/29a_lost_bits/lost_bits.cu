// Exercise 29a: a bug hunt. A float as two halves, for tensor cores.
//
// README.md beside this file says what it is meant to do.
// TODO: find the mistakes and mend them. Then:   ./course check 29a

#include <cuda_fp16.h>

#include "check.hpp"

constexpr int block = 128;
constexpr float larger = 2048.0F;  // the second half is stored times this

// x is high + low / 2048, as nearly as two halves can say it.
__global__ void split(const float* x, int n, __half* high, __half* low) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i > n) return;
  const unsigned bits = __float_as_uint(x[i]);
  high[i] = __float2half(__uint_as_float(bits & 0xFFFFE000U));
  const float rest = __half2float(__float2half(x[i])) - __half2float(high[i]);
  low[i] = __float2half(__half2float(__float2half(rest)) * larger);
}

// x, high and low have n numbers, in device memory. Numbers of x are 0, or from 2^-12 to 2^15 in
// magnitude. n may be 0.
void launch_split(const float* x, int n, __half* high, __half* low) {
  if (n == 0) return;
  split<<<(n - 1) / block + 1, block>>>(x, n, high, low);
  CUDA_CHECK_LAUNCH();
}
