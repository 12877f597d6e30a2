// bug: host-pointer
// where: y[t] = coefficients[t]
// A global array without __device__ or __constant__ is the host's.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

float host_coefficients[64];

__global__ void copy(const float* coefficients, float* y) {
  const int t = threadIdx.x;
  y[t] = coefficients[t];
}

int main() {
  for (int i = 0; i < 64; ++i) host_coefficients[i] = 0.5F;
  float* y = nullptr;
  CHECK(cudaMalloc(&y, 64 * sizeof(float)));
  copy<<<1, 64>>>(host_coefficients, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  return 0;
}
