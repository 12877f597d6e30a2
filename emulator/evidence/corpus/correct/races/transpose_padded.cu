// correct: like race_transpose_2d, but the barrier is between the two halves.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void transpose(const int* x, int* y) {
  __shared__ int tile[16][17];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  tile[ty][tx] = x[ty * 16 + tx];
  __syncthreads();
  y[ty * 16 + tx] = tile[tx][ty];
}

int main() {
  int values[256];
  int result[256];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  transpose<<<1, dim3(16, 16)>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 256; ++i) {
    if (result[i] != i % 16 * 16 + i / 16) return 1;
  }
  return 0;
}
