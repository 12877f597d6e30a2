// correct: like barrier_unequal_trips, but only the work depends on the warp.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void trips(int* y) {
  __shared__ int sums[4];
  const int t = threadIdx.x;
  const int warp = t / 32;
  if (t < 4) sums[t] = 0;
  for (int trip = 0; trip < 4; ++trip) {
    __syncthreads();
    if (trip <= warp && t % 32 == 0) sums[warp] += trip;
  }
  __syncthreads();
  y[t] = sums[3 - warp];
}

int main() {
  int result[128];
  int* y = nullptr;
  CHECK(cudaMalloc(&y, sizeof(result)));
  trips<<<1, 128>>>(y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(y));
  for (int i = 0; i < 128; ++i) {
    if (result[i] != (3 - i / 32) * (4 - i / 32) / 2) return 1;
  }
  return 0;
}
