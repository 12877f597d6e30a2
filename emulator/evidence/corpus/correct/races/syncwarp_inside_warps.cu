// correct: like race_between_warps, but no element crosses from warp to warp.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_warps(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncwarp();
  y[t] = tile[t ^ 31];
}

int main() {
  int values[64];
  int result[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  reverse_warps<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 64; ++i) {
    if (result[i] != (i ^ 31)) return 1;
  }
  return 0;
}
