// correct: like race_reset_counter, but nobody counts before the reset.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count_odd(const int* x, int* y, int n) {
  __shared__ int count;
  const int t = threadIdx.x;
  for (int row = 0; row < n; ++row) {
    if (t == 0) count = 0;
    __syncthreads();
    if (x[row * 64 + t] % 2 == 1) atomicAdd(&count, 1);
    __syncthreads();
    if (t == 0) y[row] = count;
    __syncthreads();
  }
}

int main() {
  int values[256];
  int result[4];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  count_odd<<<1, 64>>>(x, y, 4);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 4; ++i) {
    if (result[i] != 32) return 1;
  }
  return 0;
}
