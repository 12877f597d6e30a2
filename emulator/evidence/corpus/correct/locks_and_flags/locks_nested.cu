// correct: every lane takes the second lock while it holds the first, and later the second alone.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void give_back(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void add(int* sums, int* locks) {
  take(locks);
  sums[0] = sums[0] + 1;
  take(locks + 1);
  sums[1] = sums[1] + 1;
  give_back(locks + 1);
  sums[0] = sums[0] + 1;
  give_back(locks);
  take(locks + 1);
  sums[1] = sums[1] + 1;
  give_back(locks + 1);
}

int main() {
  int* d = nullptr;
  int result[2];
  CHECK(cudaMalloc(&d, 1024 * sizeof(int)));
  CHECK(cudaMemset(d, 0, 1024 * sizeof(int)));
  add<<<2, 64>>>(d, d + 512);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, d, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  return result[0] == 256 && result[1] == 256 ? 0 : 1;
}
