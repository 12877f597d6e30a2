// bug: race
// where: partial[blockIdx.x] = sum
// where: total += partial[b]
// The last block to arrive adds up the others' results, but no __threadfence() is between the
// writing of a result and the counting: the count may be seen first.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ unsigned arrived;

__global__ void sum_all(const float* x, float* partial, float* y) {
  float sum = 0.0F;
  for (int k = 0; k < 32; ++k) sum += x[blockIdx.x * 32 + k];
  partial[blockIdx.x] = sum;
  if (atomicAdd(&arrived, 1U) != gridDim.x - 1) return;
  float total = 0.0F;
  for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
  *y = total;
}

int main() {
  constexpr int n = 512;
  float *x = nullptr, *partial = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&partial, n / 32 * sizeof(float)));
  CHECK(cudaMalloc(&y, sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  sum_all<<<n / 32, 1>>>(x, partial, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(partial));
  CHECK(cudaFree(y));
  return 0;
}
