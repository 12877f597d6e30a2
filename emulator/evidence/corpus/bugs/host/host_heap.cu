// bug: host-pointer
// where: if (i < n) y[i] = x[i]
// The vector's elements live in the host's memory; nobody copied them to the device.
#include <cuda_runtime.h>

#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void copy(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

int main() {
  constexpr int n = 1000;
  const std::vector<float> x(n, 1.0F);
  float* y = nullptr;
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  copy<<<(n + 127) / 128, 128>>>(x.data(), y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  return 0;
}
