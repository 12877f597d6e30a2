// correct: like race_neighbour_block, but what is read is an earlier launch's.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 3 * i;
}

__global__ void shift(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[(i + 1) % n];
}

int main() {
  int values[512];
  int result[512];
  for (int i = 0; i < 512; ++i) values[i] = 0;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  fill<<<4, 128>>>(x);
  CHECK(cudaGetLastError());
  shift<<<4, 128>>>(x, y, 512);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 512; ++i) {
    if (result[i] != 3 * ((i + 1) % 512)) return 1;
  }
  return 0;
}
