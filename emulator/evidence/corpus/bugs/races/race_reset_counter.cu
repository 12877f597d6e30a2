// bug: race
// where: if (t == 0) count = 0
// where: if (x[t] != 0) atomicAdd(&count, 1)
// The counter is set to zero while other warps are already counting.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count_nonzero(const int* x, int* y) {
  __shared__ int count;
  const int t = threadIdx.x;
  if (t == 0) count = 0;
  if (x[t] != 0) atomicAdd(&count, 1);
  __syncthreads();
  if (t == 0) *y = count;
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(int)));
  CHECK(cudaMalloc(&y, sizeof(int)));
  CHECK(cudaMemset(x, 1, 128 * sizeof(int)));
  count_nonzero<<<1, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
