// bug: bad-mask
// where: __shfl_down_sync
// Threads without an element leave, and the last that stays asks the first that left.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add_right_neighbour(const float* x, float* y, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const float middle = x[i];
  const float right = __shfl_down_sync(0xFFFFFFFF, middle, 1);
  y[i] = middle + right;
}

int main() {
  constexpr int n = 20;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  add_right_neighbour<<<1, 32>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
