// A right solution for 03a: the host puts the coefficients in the order in which kernels want them.
// expected: full marks

#include <algorithm>
#include <vector>

#include "check.hpp"

constexpr int most = 16384;
__constant__ float turned[most];

__global__ void polynomial(const float* x, float* y, int n, int count, bool first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x_i = x[i];
  float value = first ? 0.0F : y[i];
  for (int k = 0; k < count; ++k) value = value * x_i + turned[k];
  y[i] = value;
}

void launch_polynomial(const float* c, int count, const float* x, float* y, int n) {
  if (n == 0) return;
  std::vector<float> all(c, c + count);
  std::reverse(all.begin(), all.end());
  int begin = 0;
  do {
    const int here = std::min(most, count - begin);
    if (here > 0) {
      CUDA_CHECK(cudaMemcpyToSymbol(turned, all.data() + begin, here * sizeof(float)));
    }
    polynomial<<<(n + 127) / 128, 128>>>(x, y, n, here, begin == 0);
    CUDA_CHECK_LAUNCH();
    begin += most;
  } while (begin < count);
}
