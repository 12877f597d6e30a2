// correct: every thread draws a number and waits until it is called.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add(int* sum, int* counter) {
  volatile int* called = counter + 1;
  const int mine = atomicAdd(counter, 1);
  while (*called != mine) {
  }
  __threadfence();
  *sum = *sum + 1;
  __threadfence();
  *called = mine + 1;
}

int main() {
  int* d = nullptr;
  int result[1];
  CHECK(cudaMalloc(&d, 1024 * sizeof(int)));
  CHECK(cudaMemset(d, 0, 1024 * sizeof(int)));
  add<<<2, 64>>>(d, d + 512);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, d, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  return result[0] == 128 ? 0 : 1;
}
