// bug: race
// where: tile[ty][tx] = x[ty * 16 + tx]
// where: y[ty * 16 + tx] = tile[tx][ty]
// A block of 16 x 16 threads transposes its tile without a barrier between the two halves.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void transpose(const float* x, float* y) {
  __shared__ float tile[16][17];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  tile[ty][tx] = x[ty * 16 + tx];
  y[ty * 16 + tx] = tile[tx][ty];
}

int main() {
  float *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 256 * sizeof(float)));
  CHECK(cudaMalloc(&y, 256 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 256 * sizeof(float)));
  transpose<<<1, dim3(16, 16)>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
