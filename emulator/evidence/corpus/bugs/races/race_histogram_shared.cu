// bug: race
// where: ++bins[x[t] % 16]
// mend: atomicAdd
// not: sync
// not: barrier
// Threads with equal values add to one bin, and ++ is a load, an addition and a store.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void histogram(const int* x, int* y) {
  __shared__ int bins[16];
  const int t = threadIdx.x;
  if (t < 16) bins[t] = 0;
  __syncthreads();
  ++bins[x[t] % 16];
  __syncthreads();
  if (t < 16) y[t] = bins[t];
}

int main() {
  constexpr int n = 256;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&y, 16 * sizeof(int)));
  CHECK(cudaMemset(x, 0, n * sizeof(int)));
  histogram<<<1, n>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
