// Counts and then keys are in the same shared memory, with a barrier in between.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void sort_tile(const unsigned* x, unsigned* y) {
  __shared__ union {
    unsigned counts[64];
    unsigned keys[64];
  } tile;
  const unsigned t = threadIdx.x;
  tile.counts[t] = t;
  __syncthreads();
  const unsigned count = tile.counts[t];
  __syncthreads();
  tile.keys[t ^ 1] = x[t] + count;
  __syncthreads();
  y[t] = tile.keys[t];
}

int main() {
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 64 * sizeof(unsigned)));
  CHECK(cudaMalloc(&y, 64 * sizeof(unsigned)));
  CHECK(cudaMemset(x, 1, 64 * sizeof(unsigned)));
  CHECK(cudaMemset(y, 0, 64 * sizeof(unsigned)));
  sort_tile<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
