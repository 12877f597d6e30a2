// correct: like oob_no_bounds_check, but there is an element for every thread.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = i;
}

int main() {
  constexpr int n = 1000;
  constexpr int block = 256;
  constexpr int blocks = (n + block - 1) / block;
  int values[n];
  int* x = nullptr;
  CHECK(cudaMalloc(&x, blocks * block * sizeof(int)));
  fill<<<blocks, block>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int i = 0; i < n; ++i) {
    if (values[i] != i) return 1;
  }
  return 0;
}
