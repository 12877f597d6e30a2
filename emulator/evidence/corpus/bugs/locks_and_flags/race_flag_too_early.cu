// bug: race
// where: buffer[lane] = 2 * lane
// Lane 0 raises the flag without waiting for the other lanes of its warp.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void hand_on(int* y) {
  __shared__ int buffer[32];
  __shared__ volatile int ready;
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    buffer[lane] = 2 * lane;
    if (lane == 0) {
      __threadfence_block();
      ready = 1;
    }
  } else {
    if (lane == 0) {
      while (ready == 0) {
      }
      __threadfence_block();
    }
    __syncwarp();
    y[lane] = buffer[lane];
  }
}

int main() {
  int* y = nullptr;
  CHECK(cudaMalloc(&y, 32 * sizeof(int)));
  hand_on<<<1, 64>>>(y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  return 0;
}
