// bug: out-of-bounds
// where: sum += x[i + k - 1]
// In unsigned arithmetic 0 - 1 is 4294967295: the first window starts 16 GiB after the array.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void window(const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n) return;
  float sum = 0.0F;
  for (unsigned k = 0; k < 3; ++k) {
    sum += x[i + k - 1];
  }
  y[i] = sum;
}

int main() {
  constexpr unsigned n = 512;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  window<<<n / 128, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
