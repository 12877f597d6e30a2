// bug: divergent-barrier
// where: __syncthreads();  // skipped by `continue`
// Warps 0 and 1 sit out a round each, and jump over its barrier; warp 2 does not.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void rounds(int* y) {
  const int t = threadIdx.x;
  const int warp = t / 32;
  int count = 0;
  for (int round = 0; round < 2; ++round) {
    if (round == warp) continue;
    ++count;
    __syncthreads();  // skipped by `continue`
  }
  y[t] = count;
  __syncthreads();
  y[96 + t] = y[t] + 1;
}

int main() {
  int* y = nullptr;
  CHECK(cudaMalloc(&y, 192 * sizeof(int)));
  rounds<<<1, 96>>>(y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  return 0;
}
