// bug: divergent-barrier
// where: __syncthreads();  // callers: must be all threads
// A function with a barrier, called for warp 0 alone.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int publish(int* place, int value) {
  if (threadIdx.x == 0) *place = value;
  __syncthreads();  // callers: must be all threads
  return *place;
}

__global__ void first_warp(const int* x, int* y) {
  __shared__ int place;
  const int t = threadIdx.x;
  int value = x[t];
  if (t < 32) value += publish(&place, x[0]);
  y[t] = value;
  __syncthreads();
  y[96 + t] = y[t] + 1;
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 96 * sizeof(int)));
  CHECK(cudaMalloc(&y, 192 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 96 * sizeof(int)));
  first_warp<<<1, 96>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
