// correct: all lanes of two warps take one lock many times. The owner is further down in the code
// than the waiting lanes, and goes on nevertheless, since Volta.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add(int* sum, int* lock) {
  for (int round = 0; round < 20; ++round) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum = *sum + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

int main() {
  int* d = nullptr;
  int result[1];
  CHECK(cudaMalloc(&d, 1024 * sizeof(int)));
  CHECK(cudaMemset(d, 0, 1024 * sizeof(int)));
  add<<<1, 64>>>(d, d + 512);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, d, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  return result[0] == 1280 ? 0 : 1;
}
