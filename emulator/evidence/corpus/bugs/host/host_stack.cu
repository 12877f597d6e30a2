// bug: host-pointer
// where: y[threadIdx.x] *= *factor
// `&factor` is an address in main's stack frame; the value itself should have been the argument.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void scale(float* y, const float* factor) {
  y[threadIdx.x] *= *factor;
}

int main() {
  constexpr int n = 128;
  const float factor = 2.0F;
  float* y = nullptr;
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(y, 0, n * sizeof(float)));
  scale<<<1, n>>>(y, &factor);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  return 0;
}
