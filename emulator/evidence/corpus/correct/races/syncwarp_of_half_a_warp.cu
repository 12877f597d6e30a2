// correct: like race_small_mask, but the half reads only what it wrote itself.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_half(const int* x, int* y) {
  __shared__ int part[32];
  const int t = threadIdx.x;
  part[t] = x[t];
  if (t < 16) {
    __syncwarp(0x0000FFFF);
    y[t] = part[15 - t];
  } else {
    y[t] = part[t];
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
  reverse_half<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 32; ++i) {
    if (result[i] != (i < 16 ? 15 - i : i)) return 1;
  }
  return 0;
}
