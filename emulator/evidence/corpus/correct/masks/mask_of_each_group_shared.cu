// correct: like mask_syncwarp_branch, but each group waits for its own lanes.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_groups(const int* x, int* y) {
  __shared__ int part[32];
  const int t = threadIdx.x;
  const unsigned mask = 0xFFU << (t / 8 * 8);
  if (t / 8 % 2 == 0) {
    part[t] = x[t];
    __syncwarp(mask);
    y[t] = part[t ^ 7];
  } else {
    part[t] = 2 * x[t];
    __syncwarp(mask);
    y[t] = part[t ^ 1];
  }
}

int main() {
  int values[32];
  int result[32];
  for (int i = 0; i < 32; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  reverse_groups<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 32; ++i) {
    if (result[i] != (i / 8 % 2 == 0 ? i ^ 7 : 2 * (i ^ 1))) return 1;
  }
  return 0;
}
