// bug: misaligned
// where: y[i] = four[i].x + four[i].y + four[i].z + four[i].w
// A float4 starts at a multiple of 16 bytes; x + 1 does not.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void sums_of_four(const float* x, float* y, int n) {
  const float4* four = reinterpret_cast<const float4*>(x + 1);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = four[i].x + four[i].y + four[i].z + four[i].w;
}

int main() {
  constexpr int n = 256;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, (4 * n + 1) * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, (4 * n + 1) * sizeof(float)));
  sums_of_four<<<2, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
