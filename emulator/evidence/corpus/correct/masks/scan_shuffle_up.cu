// correct: like mask_without_caller, but lane 0 is in the mask and ignores its result.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void scan(const int* x, int* y) {
  const int t = threadIdx.x;
  int sum = x[t];
  for (int step = 1; step < 32; step *= 2) {
    const int left = __shfl_up_sync(0xFFFFFFFF, sum, step);
    if (t >= step) sum += left;
  }
  y[t] = sum;
}

int main() {
  int values[32];
  int result[32];
  for (int i = 0; i < 32; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  scan<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 32; ++i) {
    if (result[i] != i * (i + 1) / 2) return 1;
  }
  return 0;
}
