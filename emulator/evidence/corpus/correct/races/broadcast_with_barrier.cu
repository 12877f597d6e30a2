// correct: like race_broadcast, but the block waits for the value.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void scaled(const int* x, int* y) {
  __shared__ int scale;
  const int t = threadIdx.x;
  if (t == 0) scale = x[2];
  __syncthreads();
  y[t] = x[t] * scale;
}

int main() {
  int values[256];
  int result[256];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  scaled<<<1, 256>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 256; ++i) {
    if (result[i] != 2 * i) return 1;
  }
  return 0;
}
