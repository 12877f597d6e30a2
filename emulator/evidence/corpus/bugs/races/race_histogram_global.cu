// bug: race
// where: bins[i % 10] += 1
// mend: atomicAdd
// not: barrier
// A hundred threads add to each bin without an atomic function.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void histogram(int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[i % 10] += 1;
}

int main() {
  int* bins = nullptr;
  CHECK(cudaMalloc(&bins, 10 * sizeof(int)));
  CHECK(cudaMemset(bins, 0, 10 * sizeof(int)));
  histogram<<<8, 128>>>(bins, 1000);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(bins));
  return 0;
}
