// correct: like uninit_ragged_tile, but the sum stops where the tile does.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void sums(const int* x, int* y, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  const int width = min(64, n - static_cast<int>(blockIdx.x) * 64);
  if (t < width) tile[t] = x[blockIdx.x * 64 + t];
  __syncthreads();
  if (t != 0) return;
  int sum = 0;
  for (int k = 0; k < width; ++k) sum += tile[k];
  y[blockIdx.x] = sum;
}

int main() {
  int values[150];
  int result[3];
  for (int i = 0; i < 150; ++i) values[i] = 1;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  sums<<<3, 64>>>(x, y, 150);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 3; ++i) {
    if (result[i] != (i < 2 ? 64 : 22)) return 1;
  }
  return 0;
}
