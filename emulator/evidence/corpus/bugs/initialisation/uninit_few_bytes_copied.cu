// bug: uninitialised
// where: y[i] = 2.0F * x[i]
// The copy takes n bytes where n floats are meant: three quarters of x are never written.
#include <cuda_runtime.h>

#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0F * x[i];
}

int main() {
  constexpr int n = 1024;
  const std::vector<float> values(n, 1.0F);
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemcpy(x, values.data(), n, cudaMemcpyHostToDevice));
  twice<<<n / 128, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
