// bug: device-pointer
// where: total += y[i]
// The results are added up where they lie, which is on the device: they should have been copied to
// the host first.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void squares(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = static_cast<float>(i) * static_cast<float>(i);
}

int main() {
  constexpr int n = 1000;
  float* y = nullptr;
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  squares<<<(n + 255) / 256, 256>>>(y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  float total = 0.0F;
  for (int i = 0; i < n; ++i) total += y[i];
  CHECK(cudaFree(y));
  return total > 0.0F ? 0 : 1;
}
