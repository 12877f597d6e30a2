// bug: unchecked-error
// bug: invalid-launch
// where: fill<<<1, threads>>>(x)
// The launch fails, as a block cannot have 1025 threads, and nobody asks cudaGetLastError.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x) {
  x[threadIdx.x] = 1.0F;
}

int main() {
  constexpr int threads = 1025;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, threads * sizeof(float)));
  fill<<<1, threads>>>(x);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
