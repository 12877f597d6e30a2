// bug: out-of-bounds
// where: left[t + 1] = x[t]
// Thread 63 writes left[64], which is not an element of `left`; in memory it may be right[0].
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void pair(const float* x, float* y) {
  __shared__ float left[64];
  __shared__ float right[64];
  const int t = threadIdx.x;
  right[t] = x[64 + t];
  if (t == 0) left[0] = 0.0F;
  __syncthreads();
  left[t + 1] = x[t];
  __syncthreads();
  y[t] = left[t] + right[t];
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(float)));
  CHECK(cudaMalloc(&y, 64 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 128 * sizeof(float)));
  pair<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
