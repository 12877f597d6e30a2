// correct: like barrier_ragged_block, but the lanes without work have ended.
// Part of the last warp has ended as well. A barrier waits for the threads that have not.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse(const int* x, int* y, int n) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = x[t];
  __syncthreads();
  y[t] = tile[n - 1 - t];
}

int main() {
  int values[100];
  int result[100];
  for (int i = 0; i < 100; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  reverse<<<1, 128>>>(x, y, 100);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 100; ++i) {
    if (result[i] != 99 - i) return 1;
  }
  return 0;
}
