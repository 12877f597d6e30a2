// bug: race
// where: tile[t] = 10 * round + t
// where: y[round * 64 + t] = tile[63 - t]
// The barrier is skipped in one round of eight.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void rounds(int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  for (int round = 0; round < 8; ++round) {
    tile[t] = 10 * round + t;
    if (round != 3) __syncthreads();
    y[round * 64 + t] = tile[63 - t];
    __syncthreads();
  }
}

int main() {
  int* y = nullptr;
  CHECK(cudaMalloc(&y, 8 * 64 * sizeof(int)));
  rounds<<<1, 64>>>(y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  return 0;
}
