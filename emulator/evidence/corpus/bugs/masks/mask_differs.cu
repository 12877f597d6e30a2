// bug: bad-mask
// where: y[t] = __shfl_xor_sync(mask, x[t], 1)
// All lanes of one operation name the same mask; here the halves of the warp disagree.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void swap_pairs(const int* x, int* y) {
  const int t = threadIdx.x;
  const unsigned mask = t < 16 ? 0x0000FFFF : 0xFFFFFFFF;
  y[t] = __shfl_xor_sync(mask, x[t], 1);
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 32 * sizeof(int)));
  CHECK(cudaMalloc(&y, 32 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 32 * sizeof(int)));
  swap_pairs<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
