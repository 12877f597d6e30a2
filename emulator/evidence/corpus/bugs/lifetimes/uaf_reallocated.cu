// bug: use-after-free
// where: if (i < n) old[i] = 1.0F
// A larger buffer replaces the old one, but a copy of the old pointer goes to the kernel. The new
// buffer may well be at the same address.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* old, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) old[i] = 1.0F;
}

int main() {
  constexpr int n = 1024;
  float* buffer = nullptr;
  CHECK(cudaMalloc(&buffer, n * sizeof(float)));
  float* const alias = buffer;
  CHECK(cudaFree(buffer));
  CHECK(cudaMalloc(&buffer, 2 * n * sizeof(float)));
  fill<<<n / 128, 128>>>(alias, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(buffer));
  return 0;
}
