// correct: like mask_differs, but all lanes name the whole warp.
// 7 * 21 = 147 = 3 * 37 + 36: lane 21 holds the maximum.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void maximum(const int* x, int* y) {
  const int t = threadIdx.x;
  int value = x[t];
  for (int step = 16; step > 0; step /= 2) {
    value = max(value, __shfl_xor_sync(0xFFFFFFFF, value, step));
  }
  y[t] = value;
}

int main() {
  int values[32];
  int result[32];
  for (int i = 0; i < 32; ++i) values[i] = (7 * i) % 37;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  maximum<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 32; ++i) {
    if (result[i] != 36) return 1;
  }
  return 0;
}
