// bug: race
// where: if (t < step) part[t] += part[t + step]
// One warp, but its lanes need not run in step: each step wants a __syncwarp().
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const float* x, float* y) {
  __shared__ float part[32];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
  }
  if (t == 0) *y = part[0];
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 32 * sizeof(float)));
  CHECK(cudaMalloc(&y, sizeof(float)));
  CHECK(cudaMemset(x, 0, 32 * sizeof(float)));
  total<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
