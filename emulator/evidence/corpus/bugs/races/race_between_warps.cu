// bug: race
// where: tile[t] = x[t]
// where: y[t] = tile[63 - t]
// __syncwarp() orders the lanes of one warp; the elements read here come from the other one.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse(const float* x, float* y) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncwarp();
  y[t] = tile[63 - t];
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 64 * sizeof(float)));
  CHECK(cudaMalloc(&y, 64 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 64 * sizeof(float)));
  reverse<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
