// bug: race
// where: part[t] = x[t]
// where: y[t] = part[t] + part[t + 16]
// The lower half of the warp waits for itself alone, and then reads what the upper half wrote.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fold(const float* x, float* y) {
  __shared__ float part[32];
  const int t = threadIdx.x;
  part[t] = x[t];
  if (t < 16) {
    __syncwarp(0x0000FFFF);
    y[t] = part[t] + part[t + 16];
  }
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 32 * sizeof(float)));
  CHECK(cudaMalloc(&y, 16 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 32 * sizeof(float)));
  fold<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
