// bug: uninitialised
// where: if (x[t] > 0) atomicAdd(&positive, 1)
// Shared memory starts with no value at all, and nobody sets the block's counter to zero.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count_positive(const int* x, int* y) {
  __shared__ int positive;
  const int t = threadIdx.x;
  if (x[t] > 0) atomicAdd(&positive, 1);
  __syncthreads();
  if (t == 0) *y = positive;
}

int main() {
  constexpr int n = 128;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&y, sizeof(int)));
  CHECK(cudaMemset(x, 1, n * sizeof(int)));
  count_positive<<<1, n>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
