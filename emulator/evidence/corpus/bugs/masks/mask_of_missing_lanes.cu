// bug: bad-mask
// where: value += __shfl_down_sync(0xFFFFFFFF, value, step)
// The block has 16 threads: the mask names 16 lanes that do not exist.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const float* x, float* y) {
  const int t = threadIdx.x;
  float value = x[t];
  for (int step = 8; step > 0; step /= 2) {
    value += __shfl_down_sync(0xFFFFFFFF, value, step);
  }
  if (t == 0) *y = value;
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 16 * sizeof(float)));
  CHECK(cudaMalloc(&y, sizeof(float)));
  CHECK(cudaMemset(x, 0, 16 * sizeof(float)));
  total<<<1, 16>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
