// correct: like mask_differs, but __match_any_sync gives equal lanes equal masks.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void histogram(const int* x, int* y) {
  const int t = threadIdx.x;
  const int value = x[t];
  const unsigned mask = __match_any_sync(0xFFFFFFFF, value);
  const int smallest = __shfl_sync(mask, t, __ffs(mask) - 1);
  if (t == smallest) y[value] = __popc(mask);
}

int main() {
  int values[32];
  int result[5];
  for (int i = 0; i < 32; ++i) values[i] = i % 5;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  histogram<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 5; ++i) {
    if (result[i] != (i < 2 ? 7 : 6)) return 1;
  }
  return 0;
}
