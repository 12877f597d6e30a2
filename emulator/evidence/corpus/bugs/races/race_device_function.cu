// bug: race
// where: values[threadIdx.x] = value
// where: return values[blockDim.x - 1]
// A helper function: the block's last thread gives its value to all, but nobody waits for it.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ float last_value(float* values, float value) {
  values[threadIdx.x] = value;
  return values[blockDim.x - 1];
}

__global__ void subtract_last(const float* x, float* y) {
  __shared__ float values[128];
  const int t = threadIdx.x;
  y[t] = x[t] - last_value(values, x[t]);
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(float)));
  CHECK(cudaMalloc(&y, 128 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 128 * sizeof(float)));
  subtract_last<<<1, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
