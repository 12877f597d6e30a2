// bug: divergent-barrier
// where: __syncthreads();  // inside `if (i < n)`
// The load and its barrier are under `i < n`, so in the last block one warp skips the barrier.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_blocks(const float* x, float* y, int n) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 128 + t;
  tile[t] = 0.0F;
  __syncthreads();
  if (i < n) {
    tile[t] = x[i];
    __syncthreads();  // inside `if (i < n)`
  }
  const float sum = tile[t] + 1.0F;
  __syncthreads();
  if (i < n) y[i] = sum;
}

int main() {
  constexpr int n = 224;
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  CHECK(cudaMemset(x, 0, n * sizeof(float)));
  reverse_blocks<<<2, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
