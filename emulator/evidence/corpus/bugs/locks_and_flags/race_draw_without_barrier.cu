// bug: race
// where: if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1);
// where: y[tile * 64 + threadIdx.x] = x[tile * 64 + threadIdx.x];
// mend: __syncthreads()
// One thread draws the block's tile, and the others do not wait for it.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int ticket;

__global__ void copy_tiles(const int* x, int* y) {
  __shared__ int tile;
  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1);
  y[tile * 64 + threadIdx.x] = x[tile * 64 + threadIdx.x];
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 512 * sizeof(int)));
  CHECK(cudaMalloc(&y, 512 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 512 * sizeof(int)));
  copy_tiles<<<8, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
