// bug: out-of-bounds
// where: x[i] = 1.0F
// mend: sizeof
// The allocation is given the number of elements, where cudaMalloc wants bytes.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0F;
}

int main() {
  constexpr int n = 2000;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, n));
  fill<<<(n + 255) / 256, 256>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
