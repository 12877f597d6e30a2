// bug: race
// where: left[t] = x[t]
// where: right[t] = x[n + t]
// The second array starts in the middle of the first: n / 2 where n is meant.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add_halves(const float* x, float* y, int n) {
  extern __shared__ float buffer[];
  float* left = buffer;
  float* right = buffer + n / 2;
  const int t = threadIdx.x;
  left[t] = x[t];
  right[t] = x[n + t];
  __syncthreads();
  y[t] = left[t] + right[t];
}

int main() {
  constexpr int n = 128;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 2 * n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, 2 * n * sizeof(float)));
  add_halves<<<1, n, 2 * n * sizeof(float)>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
