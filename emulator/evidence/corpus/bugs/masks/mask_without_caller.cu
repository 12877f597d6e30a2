// bug: bad-mask
// where: __shfl_up_sync(0xFFFFFFFE, x[t], 1)
// Lane 0 has no left neighbour and was left out of the mask, but it calls the function as well.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void shift(const int* x, int* y) {
  const int t = threadIdx.x;
  y[t] = __shfl_up_sync(0xFFFFFFFE, x[t], 1);
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 32 * sizeof(int)));
  CHECK(cudaMalloc(&y, 32 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 32 * sizeof(int)));
  shift<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
