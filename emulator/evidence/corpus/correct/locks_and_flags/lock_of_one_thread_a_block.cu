// correct: like race_maximum, but a lock guards the comparison and the store.
// One thread a block takes the lock: lanes of one warp could keep each other waiting forever.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int lock;

__global__ void maximum(const int* x, int* best) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  volatile int* place = best;
  if (x[blockIdx.x] > *place) *place = x[blockIdx.x];
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  int values[16];
  int result[1];
  for (int i = 0; i < 16; ++i) values[i] = (i * 7) % 31;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(y, 0, sizeof(result)));
  maximum<<<16, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == 29 ? 0 : 1;
}
