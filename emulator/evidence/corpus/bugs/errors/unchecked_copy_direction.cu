// bug: unchecked-error
// where: cudaMemcpy(result, y, sizeof(result), cudaMemcpyHostToDevice)
// The copy goes the wrong way, fails, and its result is ignored: the host keeps what it had.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* y) {
  y[threadIdx.x] = 5;
}

int main() {
  constexpr int n = 64;
  int result[n] = {};
  int* y = nullptr;
  CHECK(cudaMalloc(&y, n * sizeof(int)));
  fill<<<1, n>>>(y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  cudaMemcpy(result, y, sizeof(result), cudaMemcpyHostToDevice);
  CHECK(cudaFree(y));
  return 0;
}
