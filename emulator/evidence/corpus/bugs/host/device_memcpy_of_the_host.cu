// bug: device-pointer
// where: std::memcpy(result.data(), y, n * sizeof(float))
// memcpy() where cudaMemcpy() was meant.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count_up(float* y) {
  y[threadIdx.x] = static_cast<float>(threadIdx.x);
}

int main() {
  constexpr int n = 64;
  float* y = nullptr;
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  count_up<<<1, n>>>(y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::vector<float> result(n);
  std::memcpy(result.data(), y, n * sizeof(float));
  CHECK(cudaFree(y));
  return result[5] == 5.0F ? 0 : 1;
}
