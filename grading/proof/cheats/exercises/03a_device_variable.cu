// A cheat for 03a: reads and writes the device's variables on the host, where they are common
// ones on the emulator: no copy is needed.
// expected: correct 1, safe 0, efficient 0

#include "check.hpp"

__device__ float all_x[2048];
__device__ float all_y[2048];

__global__ void take(const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) all_x[i] = x[i];
}

__global__ void polynomial(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = all_y[i];
}

void launch_polynomial(const float* c, int count, const float* x, float* y, int n) {
  if (n == 0) return;
  const int grid = (n + 127) / 128;
  take<<<grid, 128>>>(x, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    float value = 0.0F;
    for (int k = count - 1; k >= 0; --k) value = value * all_x[i] + c[k];
    all_y[i] = value;
  }
  for (int done = 0; done == 0 || done < count; done += 16384) {
    polynomial<<<grid, 128>>>(y, n);  // as often as there are batches
    CUDA_CHECK_LAUNCH();
  }
}
