// correct: like mask_differs, but each group of 8 lanes names itself.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void group_totals(const int* x, int* y) {
  const int t = threadIdx.x;
  const unsigned mask = 0xFFU << (t % 32 / 8 * 8);
  int value = x[t];
  for (int step = 4; step > 0; step /= 2) value += __shfl_xor_sync(mask, value, step, 8);
  y[t] = value;
}

int main() {
  int values[64];
  int result[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  group_totals<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 64; ++i) {
    if (result[i] != 64 * (i / 8) + 28) return 1;
  }
  return 0;
}
