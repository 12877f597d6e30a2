// bug: race
// where: x[i] = 0.5F * i
// where: y[i] = x[(i + 1) % n]
// A barrier orders one block. The last thread's neighbour belongs to the next block.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill_and_shift(float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 0.5F * i;
  __syncthreads();
  y[i] = x[(i + 1) % n];
}

int main() {
  constexpr int n = 512;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  fill_and_shift<<<n / 128, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
