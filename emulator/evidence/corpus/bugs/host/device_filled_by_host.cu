// bug: device-pointer
// where: std::fill_n(x, n, 1.0F)
// The input is filled as if it were an array of the host.
#include <cuda_runtime.h>

#include <algorithm>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0F;
}

int main() {
  constexpr int n = 300;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  std::fill_n(x, n, 1.0F);
  twice<<<(n + 127) / 128, 128>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
