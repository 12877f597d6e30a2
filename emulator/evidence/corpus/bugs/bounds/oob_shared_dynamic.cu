// bug: out-of-bounds
// where: tile[t] = x[t]
// The launch asks for n bytes of dynamic shared memory where n floats are meant.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse(const float* x, float* y, int n) {
  extern __shared__ float tile[];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  if (t < n / 4) y[t] = tile[n / 4 - 1 - t];
}

int main() {
  constexpr int n = 256;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  reverse<<<1, n, n>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
