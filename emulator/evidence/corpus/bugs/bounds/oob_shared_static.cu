// bug: out-of-bounds
// where: tile[t + 1] = x[t]
// The tile needs room for a halo of one on the left, but has 128 places: thread 127 writes past it.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void shift(const float* x, float* y) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  tile[t + 1] = x[t];
  if (t == 0) tile[0] = 0.0F;
  __syncthreads();
  y[t] = tile[t];
}

int main() {
  constexpr int n = 128;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  shift<<<1, n>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
