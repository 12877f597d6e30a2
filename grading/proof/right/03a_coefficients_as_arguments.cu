// A right solution for 03a: a launch gets 64 coefficients as an argument, and one more by
// itself. Constant memory is also where arguments are, but so few of them take many launches.
// expected: correct 6, safe 2, efficient 0

#include "check.hpp"

struct Others {
  float c[64];
};

__global__ void add_some(const float* x, float* y, int n, int count, float first, Others others) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = y[i] * x[i] + first;
  for (int k = 0; k < 64; ++k) {
    if (k < count - 1) value = value * x[i] + others.c[k];
  }
  y[i] = value;
}

void launch_polynomial(const float* c, int count, const float* x, float* y, int n) {
  if (n == 0) return;
  CUDA_CHECK(cudaMemset(y, 0, n * sizeof(float)));
  for (int end = count; end > 0; end -= 65) {
    const int here = end < 65 ? end : 65;
    Others others{};
    for (int k = 1; k < here; ++k) others.c[k - 1] = c[end - 1 - k];
    add_some<<<(n + 127) / 128, 128>>>(x, y, n, here, c[end - 1], others);
    CUDA_CHECK_LAUNCH();
  }
}
