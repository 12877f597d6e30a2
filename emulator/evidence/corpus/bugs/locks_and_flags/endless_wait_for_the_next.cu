// bug: failed-kernel
// where: while (*static_cast<volatile int*>(&flags[tile + 1]) == 0) {
// no: race
// A tile waits for the one after it: that block may not begin before this one ends.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int ticket;
__device__ int flags[9];

__global__ void in_turns(int* y) {
  const int tile = atomicAdd(&ticket, 1);
  if (tile < 7) {
    while (*static_cast<volatile int*>(&flags[tile + 1]) == 0) {
    }
    __threadfence();
  }
  y[tile] = tile;
  __threadfence();
  *static_cast<volatile int*>(&flags[tile]) = 1;
}

int main() {
  int* y = nullptr;
  CHECK(cudaMalloc(&y, 8 * sizeof(int)));
  in_turns<<<8, 1>>>(y);
  CHECK(cudaGetLastError());
  if (cudaDeviceSynchronize() == cudaSuccess) return 1;
  return 0;
}
