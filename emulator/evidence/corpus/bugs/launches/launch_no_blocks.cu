// bug: invalid-launch
// where: fill<<<blocks, 256>>>(x, n)
// n / 256 is 0 for a small n, and a grid of no blocks is an error.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0F;
}

int main() {
  const int n = 100;
  const int blocks = n / 256;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  fill<<<blocks, 256>>>(x, n);
  const cudaError_t error = cudaGetLastError();
  CHECK(cudaFree(x));
  return error == cudaSuccess ? 0 : 1;
}
