// bug: out-of-bounds
// where: x[i] += 1.0F
// The grid has more threads than the array has elements, and none of them asks.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add_one(float* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += 1.0F;
}

int main() {
  constexpr int n = 5000;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  add_one<<<(n + 255) / 256, 256>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
