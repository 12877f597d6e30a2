// bug: race
// where: if (t >= step) sums[t] += sums[t - step]
// A scan in one buffer: within a step a thread may read a sum that its owner has already updated.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void scan(int* x) {
  __shared__ int sums[128];
  const int t = threadIdx.x;
  sums[t] = x[t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    if (t >= step) sums[t] += sums[t - step];
    __syncthreads();
  }
  x[t] = sums[t];
}

int main() {
  int* x = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 128 * sizeof(int)));
  scan<<<1, 128>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
