// correct: like race_broadcast, but the warps' sums are read after a barrier.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int warp_total(int value) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xFFFFFFFF, value, step);
  return value;
}

__global__ void total(const int* x, int* y) {
  __shared__ int sums[32];
  const int t = threadIdx.x;
  const int warp = t / 32;
  const int lane = t % 32;
  const int sum = warp_total(x[blockIdx.x * blockDim.x + t]);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const int all = warp_total(lane < static_cast<int>(blockDim.x) / 32 ? sums[lane] : 0);
    if (lane == 0) y[blockIdx.x] = all;
  }
}

int main() {
  int values[1024];
  int result[2];
  for (int i = 0; i < 1024; ++i) values[i] = i % 512;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  total<<<2, 512>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 2; ++i) {
    if (result[i] != 512 * 511 / 2) return 1;
  }
  return 0;
}
