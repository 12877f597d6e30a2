// bug: double-free
// where: CHECK(cudaFree(x));  // again
// The same array is freed twice.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x) {
  x[threadIdx.x] = 1.0F;
}

int main() {
  float* x = nullptr;
  CHECK(cudaMalloc(&x, 64 * sizeof(float)));
  fill<<<1, 64>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(x));  // again
  return 0;
}
