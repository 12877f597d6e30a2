// bug: unchecked-error
// where: cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights))
// The symbol has room for four weights; copying eight fails and leaves all four as they were.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__constant__ float weights[4];

__global__ void scale(float* x) {
  x[threadIdx.x] *= weights[threadIdx.x % 4];
}

int main() {
  const float host_weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  float* x = nullptr;
  CHECK(cudaMalloc(&x, 64 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 64 * sizeof(float)));
  cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights));
  scale<<<1, 64>>>(x);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
