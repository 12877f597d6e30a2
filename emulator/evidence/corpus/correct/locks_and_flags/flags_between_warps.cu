// One warp fills slots of a ring and another empties them. Each has lane 0 look at the flags, and
// __syncwarp() lets the other lanes wait for lane 0, and lane 0 for them.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

constexpr int slots = 4;

__device__ void wait_for(volatile int* flag, int value, int lane) {
  if (lane == 0) {
    while (*flag != value) {
    }
    __threadfence_block();
  }
  __syncwarp();
}

__device__ void set(volatile int* flag, int value, int lane) {
  __syncwarp();
  if (lane == 0) {
    __threadfence_block();
    *flag = value;
  }
}

__global__ void ring(const int* x, int* y, int rounds) {
  __shared__ int slot[slots][32];
  __shared__ volatile int is_full[slots];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < slots) is_full[threadIdx.x] = 0;
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    const int s = round % slots;
    if (threadIdx.x < 32) {
      wait_for(&is_full[s], 0, lane);
      slot[s][lane] = x[round * 32 + lane];
      set(&is_full[s], 1, lane);
    } else {
      wait_for(&is_full[s], 1, lane);
      y[round * 32 + lane] = slot[s][31 - lane];
      set(&is_full[s], 0, lane);
    }
  }
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 640 * sizeof(int)));
  CHECK(cudaMalloc(&y, 640 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 640 * sizeof(int)));
  ring<<<1, 64>>>(x, y, 20);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
