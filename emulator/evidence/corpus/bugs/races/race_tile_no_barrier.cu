// bug: race
// where: tile[t] = x[t]
// where: y[t] = tile[n - 1 - t]
// No barrier between loading the tile and reading what other threads loaded.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse(const float* x, float* y, int n) {
  __shared__ float tile[256];
  const int t = threadIdx.x;
  tile[t] = x[t];
  y[t] = tile[n - 1 - t];
}

int main() {
  constexpr int n = 256;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  reverse<<<1, n>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
