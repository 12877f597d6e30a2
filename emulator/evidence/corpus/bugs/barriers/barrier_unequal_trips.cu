// bug: divergent-barrier
// where: __syncthreads();  // once a trip
// Warp w makes w + 1 trips, so the warps wait at this barrier different numbers of times.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void trips(int* y) {
  const int t = threadIdx.x;
  const int warp = t / 32;
  int count = 0;
  for (int trip = 0; trip <= warp; ++trip) {
    count += trip;
    __syncthreads();  // once a trip
  }
  y[t] = count;
  __syncthreads();
  y[128 + t] = y[t] + 1;
}

int main() {
  int* y = nullptr;
  CHECK(cudaMalloc(&y, 256 * sizeof(int)));
  trips<<<1, 128>>>(y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  return 0;
}
