// bug: race
// where: y[t] = x[i]
// mend: blocks do not wait for each other
// not: barrier
// The index forgets the block, so that all blocks write the same elements.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void copy(const int* x, int* y, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (i < n) y[t] = x[i];
}

int main() {
  constexpr int n = 256;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&y, n * sizeof(int)));
  int values[n];
  for (int i = 0; i < n; ++i) values[i] = i;
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  copy<<<2, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
