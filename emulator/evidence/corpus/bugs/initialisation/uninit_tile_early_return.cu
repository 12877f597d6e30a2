// bug: uninitialised
// where: y[i] = tile[blockDim.x - 1 - t]
// Threads without an element leave, and their places of the tile are never written; the mirror
// image of the first ones is just there.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_blocks(const float* x, float* y, int n) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  tile[t] = x[i];
  __syncthreads();
  y[i] = tile[blockDim.x - 1 - t];
}

int main() {
  constexpr int n = 200;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  reverse_blocks<<<2, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
