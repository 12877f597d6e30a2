// bug: race
// where: if (t < step) part[t] += part[t + step]
// The barrier is before the loop and not in it: a step reads sums of the step before.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const float* x, float* y) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  part[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
  }
  if (t == 0) y[blockIdx.x] = part[0];
}

int main() {
  constexpr int n = 1024;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n / 256 * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  total<<<n / 256, 256>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
