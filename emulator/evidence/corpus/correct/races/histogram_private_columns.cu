// correct: like race_histogram_shared, but each thread has bins of its own.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void histogram(const int* x, int* y, int n) {
  __shared__ int bins[8][65];
  const int t = threadIdx.x;
  for (int b = 0; b < 8; ++b) bins[b][t] = 0;
  for (int i = t; i < n; i += 64) ++bins[x[i] % 8][t];
  __syncthreads();
  if (t < 8) {
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += bins[t][k];
    y[t] = sum;
  }
}

int main() {
  int values[256];
  int result[8];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  histogram<<<1, 64>>>(x, y, 256);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 8; ++i) {
    if (result[i] != 32) return 1;
  }
  return 0;
}
