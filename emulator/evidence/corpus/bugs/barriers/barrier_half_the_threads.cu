// bug: divergent-barrier
// where: __syncthreads();  // for the lower half alone
// A barrier in a branch that half of the block takes; the other half meets it at the next one.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void halves(const float* x, float* y) {
  __shared__ float tile[128];
  const int t = threadIdx.x;
  tile[t] = x[t];
  if (t < 64) {
    __syncthreads();  // for the lower half alone
    y[t] = x[t];
  }
  __syncthreads();
  y[128 + t] = tile[127 - t];
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(float)));
  CHECK(cudaMalloc(&y, 256 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 128 * sizeof(float)));
  halves<<<1, 128>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
