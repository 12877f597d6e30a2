// correct: like uninit_malloc, but cudaMemset has cleared the sums.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void axpy(const int* x, int* y, int a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

int main() {
  int values[1000];
  int result[1000];
  for (int i = 0; i < 1000; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(y, 0, sizeof(result)));
  axpy<<<8, 128>>>(x, y, 3, 1000);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 1000; ++i) {
    if (result[i] != 3 * i) return 1;
  }
  return 0;
}
