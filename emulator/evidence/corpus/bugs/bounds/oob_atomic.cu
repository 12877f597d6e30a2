// bug: out-of-bounds
// where: atomicAdd(&bins[value], 1)
// Values run from 0 to 16, both included, and there are 16 bins: value 16 counts past the end.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void histogram(const int* x, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int value = x[i];
  atomicAdd(&bins[value], 1);
}

int main() {
  constexpr int n = 256;
  int values[n];
  for (int i = 0; i < n; ++i) values[i] = i % 17;
  int *x = nullptr, *bins = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&bins, 16 * sizeof(int)));
  CHECK(cudaMemset(bins, 0, 16 * sizeof(int)));
  histogram<<<n / 64, 64>>>(x, bins, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(bins));
  return 0;
}
