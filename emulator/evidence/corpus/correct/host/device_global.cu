// correct: like host_global, but the array is the device's, and so is its address.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int coefficients[64];

__global__ void copy(const int* from, int* y) {
  const int t = threadIdx.x;
  y[t] = from[t] + coefficients[63 - t];
}

int main() {
  int values[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
  int* y = nullptr;
  void* address = nullptr;
  CHECK(cudaMemcpyToSymbol(coefficients, values, sizeof(values)));
  CHECK(cudaGetSymbolAddress(&address, coefficients));
  CHECK(cudaMalloc(&y, sizeof(values)));
  copy<<<1, 64>>>(static_cast<const int*>(address), y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, y, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(y));
  for (const int value : values) {
    if (value != 63) return 1;
  }
  return 0;
}
