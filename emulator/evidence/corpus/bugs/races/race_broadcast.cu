// bug: race
// where: if (t == 0) scale = x[0]
// where: y[t] = x[t] * scale
// Thread 0 fetches a value for the whole block, which does not wait for it.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void normalise(const float* x, float* y) {
  __shared__ float scale;
  const int t = threadIdx.x;
  if (t == 0) scale = x[0];
  y[t] = x[t] * scale;
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(float)));
  CHECK(cudaMalloc(&y, 128 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 128 * sizeof(float)));
  normalise<<<1, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
