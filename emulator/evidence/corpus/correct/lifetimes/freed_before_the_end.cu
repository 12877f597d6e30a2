// correct: like uaf_later_kernel, but the kernel that reads x has been launched.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void copy(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

int main() {
  constexpr int n = 1000;
  int values[n];
  for (int i = 0; i < n; ++i) values[i] = 2 * i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(values)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  copy<<<8, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(x));  // waits for the kernel
  for (int& value : values) value = 0;
  CHECK(cudaMemcpy(values, y, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(y));
  for (int i = 0; i < n; ++i) {
    if (values[i] != 2 * i) return 1;
  }
  return 0;
}
