// bug: out-of-bounds
// where: sum += weights[k] * x[i + k]
// A filter of radius 2 has five weights; the loop runs to k = 5.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__constant__ float weights[5];

__global__ void filter(const float* x, float* y, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + taps >= n) return;
  float sum = 0.0F;
  for (int k = 0; k <= taps; ++k) {
    sum += weights[k] * x[i + k];
  }
  y[i] = sum;
}

int main() {
  constexpr int n = 256;
  const float host_weights[5] = {0.1F, 0.2F, 0.4F, 0.2F, 0.1F};
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights)));
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  filter<<<n / 64, 64>>>(x, y, n, 5);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
