// bug: race
// where: tile[t] = x[first + t]
// where: sum += tile[k] * y[t]
// The second barrier of the loop is missing: fast warps load the next tile while slow ones still
// read this one.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void product(const float* x, float* y, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float sum = 0.0F;
  for (int first = 0; first < n; first += 64) {
    tile[t] = x[first + t];
    __syncthreads();
    for (int k = 0; k < 64; ++k) sum += tile[k] * y[t];
  }
  y[t] = sum;
}

int main() {
  constexpr int n = 512;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, 64 * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  CHECK(cudaMemset(y, 0, 64 * sizeof(float)));
  product<<<1, 64>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
