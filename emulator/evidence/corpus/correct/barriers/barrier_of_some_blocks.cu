// correct: like barrier_half_the_threads, but the condition is the whole block's.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse_even_blocks(const int* x, int* y) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 64 + t;
  if (blockIdx.x % 2 == 0) {
    tile[t] = x[i];
    __syncthreads();
    y[i] = tile[63 - t];
  } else {
    y[i] = x[i];
  }
}

int main() {
  int values[256];
  int result[256];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  reverse_even_blocks<<<4, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 256; ++i) {
    if (result[i] != (i / 64 % 2 == 0 ? i / 64 * 64 + 63 - i % 64 : i)) return 1;
  }
  return 0;
}
