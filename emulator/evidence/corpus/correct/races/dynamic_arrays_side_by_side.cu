// correct: like race_overlapping_arrays, but the second one starts after n.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add_halves(const int* x, int* y, int n) {
  extern __shared__ int buffer[];
  int* left = buffer;
  int* right = buffer + n;
  const int t = threadIdx.x;
  left[n - 1 - t] = x[t];
  right[t] = x[n + t];
  __syncthreads();
  y[t] = left[t] + right[n - 1 - t];
}

int main() {
  int values[256];
  int result[128];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  add_halves<<<1, 128, 2 * 128 * sizeof(int)>>>(x, y, 128);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 128; ++i) {
    if (result[i] != 382 - 2 * i) return 1;
  }
  return 0;
}
