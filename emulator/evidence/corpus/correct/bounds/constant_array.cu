// correct: like oob_constant, but the loop ends at the last weight.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__constant__ int weights[5] = {1, 2, 3, 2, 1};

__global__ void filter(const int* x, int* y, int n) {
  const int i = threadIdx.x;
  if (i + 5 > n) return;
  int sum = 0;
  for (int k = 0; k < 5; ++k) sum += weights[k] * x[i + k];
  y[i] = sum;
}

int main() {
  int values[104];
  int result[100];
  for (int i = 0; i < 104; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  filter<<<1, 128>>>(x, y, 104);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 100; ++i) {
    if (result[i] != 9 * (i + 2)) return 1;
  }
  return 0;
}
