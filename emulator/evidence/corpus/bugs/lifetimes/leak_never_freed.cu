// bug: leak
// where: CHECK(cudaMalloc(&y, n * sizeof(float)))
// x is freed at the end, y is forgotten.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void copy(const float* x, float* y) {
  y[threadIdx.x] = x[threadIdx.x];
}

int main() {
  constexpr int n = 128;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  copy<<<1, n>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
