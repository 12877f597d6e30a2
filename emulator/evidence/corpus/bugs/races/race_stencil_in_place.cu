// bug: race
// where: x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0F
// Smoothing in place: each thread reads elements that its neighbours are overwriting.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void smooth(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i + 1 < n) {
    x[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0F;
  }
}

int main() {
  constexpr int n = 1000;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  smooth<<<(n + 127) / 128, 128>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
