// bug: out-of-bounds
// where: y[i] = 0.5F * (x[i] + x[i + 1])
// The last thread reads x[n]. Allocations are rounded up, so on a GPU that memory is there.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void midpoints(const float* x, float* y, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] = 0.5F * (x[i] + x[i + 1]);
}

int main() {
  constexpr int n = 33;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  midpoints<<<1, 64>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
