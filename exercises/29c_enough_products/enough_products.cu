// Exercise 29c: a product of floats by as few products of BF16 as its bound allows.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 29c

#include <cuda_bf16.h>

#include <cmath>

#include "check.hpp"

constexpr int block = 128;
constexpr int parts = 3;  // of a float: with 8 bits each, they have all 24

// A float as a sum of three numbers of BF16, kept as floats: so their products are exact.
__device__ void split(float x, float (&part)[parts]) {
  for (int p = 0; p < parts; ++p) {
    part[p] = __bfloat162float(__float2bfloat16(x));
    x -= part[p];
  }
}

// z = x y, of the products of parts p and q with p + q <= level. It is the lowest level for which
// the magnitudes of all others are together at most bound |x y|.
__global__ void multiply(const float* x, const float* y, int n, float bound, float* z,
                         int* products) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  float a[parts], b[parts];
  // TODO (26 lines): the parts of x and y; how much each level leaves out; the lowest level
  // that is enough; its products, the smallest first, and how many they are.
}

// All arrays have n numbers, in device memory. Numbers of x and y are 0, or from 2^-20 to 2^20 in
// magnitude. n may be 0.
void launch_multiply(const float* x, const float* y, int n, float bound, float* z, int* products) {
  if (n == 0) return;
  multiply<<<(n - 1) / block + 1, block>>>(x, y, n, bound, z, products);
  CUDA_CHECK_LAUNCH();
}
