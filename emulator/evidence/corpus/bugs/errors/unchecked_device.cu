// bug: unchecked-error
// where: cudaSetDevice(1000)
// There is no such device; the program goes on with another one than it was told to use.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* y) {
  y[threadIdx.x] = 5;
}

int main() {
  int* y = nullptr;
  cudaSetDevice(1000);
  CHECK(cudaMalloc(&y, 64 * sizeof(int)));
  fill<<<1, 64>>>(y);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  return 0;
}
