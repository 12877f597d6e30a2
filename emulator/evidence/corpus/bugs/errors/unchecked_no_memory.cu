// bug: unchecked-error
// where: cudaMalloc(&x, 1ULL << 60)
// There is no GPU with that much memory. The program looks at the pointer and not at the error.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x) {
  x[threadIdx.x] = 1.0F;
}

int main() {
  float* x = nullptr;
  cudaMalloc(&x, 1ULL << 60);
  if (x == nullptr) return 0;
  fill<<<1, 32>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
