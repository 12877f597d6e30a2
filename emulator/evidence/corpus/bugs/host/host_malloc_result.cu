// bug: host-pointer
// where: *result = sum
// The kernel is given a place for its result that came from malloc.
#include <cuda_runtime.h>

#include <cstdlib>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const float* x, float* result, int n) {
  float sum = 0.0F;
  for (int i = 0; i < n; ++i) sum += x[i];
  *result = sum;
}

int main() {
  constexpr int n = 100;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  float* const result = static_cast<float*>(std::malloc(sizeof(float)));
  total<<<1, 1>>>(x, result, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  std::free(result);
  return 0;
}
