// correct: like race_tile_no_barrier, but the barrier is there.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void reverse(const int* x, int* y, int n) {
  __shared__ int tile[256];
  const int t = threadIdx.x;
  tile[t] = x[t];
  __syncthreads();
  y[t] = tile[n - 1 - t];
}

int main() {
  int values[256];
  int result[256];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  reverse<<<1, 256>>>(x, y, 256);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 256; ++i) {
    if (result[i] != 255 - i) return 1;
  }
  return 0;
}
