// correct: like uninit_few_bytes_copied, but only the copied part is read.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void twice(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2 * x[i];
}

int main() {
  constexpr int capacity = 4096;
  constexpr int n = 100;
  int values[n];
  for (int i = 0; i < n; ++i) values[i] = i;
  int* x = nullptr;
  CHECK(cudaMalloc(&x, capacity * sizeof(int)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  twice<<<1, 128>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int i = 0; i < n; ++i) {
    if (values[i] != 2 * i) return 1;
  }
  return 0;
}
