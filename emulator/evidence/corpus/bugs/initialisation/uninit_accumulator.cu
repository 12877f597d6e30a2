// bug: uninitialised
// where: atomicAdd(sum, x[i])
// The sum starts from whatever the memory held.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}

int main() {
  constexpr int n = 500;
  int *x = nullptr, *sum = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaMemset(x, 0, n * sizeof(int)));
  total<<<4, 128>>>(x, sum, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(sum));
  return 0;
}
