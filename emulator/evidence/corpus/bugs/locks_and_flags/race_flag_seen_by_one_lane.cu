// bug: race
// where: y[lane] = buffer[lane]
// Lane 0 waits for the flag, but the other lanes of its warp do not wait for lane 0.
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
    __syncwarp();
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
