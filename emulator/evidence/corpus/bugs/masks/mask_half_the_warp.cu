// bug: bad-mask
// where: __shfl_down_sync(0xFFFFFFFF, x[t], 8)
// Half of the warp takes this branch, and the mask names the whole.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fold(const float* x, float* y, float* z) {
  const int t = threadIdx.x;
  if (t < 16) {
    y[t] = __shfl_down_sync(0xFFFFFFFF, x[t], 8);
    return;
  }
  z[t] = 2.0F * x[t];
}

int main() {
  float *x = nullptr, *y = nullptr, *z = nullptr;
  CHECK(cudaMalloc(&x, 32 * sizeof(float)));
  CHECK(cudaMalloc(&y, 32 * sizeof(float)));
  CHECK(cudaMalloc(&z, 32 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 32 * sizeof(float)));
  fold<<<1, 32>>>(x, y, z);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(z));
  return 0;
}
