// bug: uninitialised
// where: sum += tile[k]
// The last tile is not full, but its sum runs over all of it.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void sums(const float* x, float* y, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 64 + t;
  if (i < n) tile[t] = x[i];
  __syncthreads();
  if (t == 0) {
    float sum = 0.0F;
    for (int k = 0; k < 64; ++k) sum += tile[k];
    y[blockIdx.x] = sum;
  }
}

int main() {
  constexpr int n = 150;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, 3 * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  sums<<<3, 64>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
