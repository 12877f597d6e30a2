// correct: like race_histogram_shared, but a local array is each thread's own.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void histogram(const int* x, int* y) {
  int bins[4] = {};
  const int t = threadIdx.x;
  for (int k = 0; k < 8; ++k) ++bins[x[8 * t + k] % 4];
  y[t] = 1000 * bins[0] + 100 * bins[1] + 10 * bins[2] + bins[3];
}

int main() {
  int values[256];
  int result[32];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  histogram<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 32; ++i) {
    if (result[i] != 2222) return 1;
  }
  return 0;
}
