// bug: out-of-bounds
// where: x[i * sizeof(float)] = 1.0F
// An index counts elements, not bytes: from a quarter of the threads on, the write is outside.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i * sizeof(float)] = 1.0F;
}

int main() {
  constexpr int n = 2048;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  fill<<<n / 256, 256>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
