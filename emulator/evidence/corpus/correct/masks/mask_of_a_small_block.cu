// correct: like mask_of_missing_lanes, but the mask names the 16 lanes that exist.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* y) {
  const int t = threadIdx.x;
  int value = x[t];
  for (int step = 8; step > 0; step /= 2) value += __shfl_down_sync(0x0000FFFF, value, step, 16);
  if (t == 0) *y = value;
}

int main() {
  int values[16];
  int result[1];
  for (int i = 0; i < 16; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  total<<<1, 16>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == 15 * 8 ? 0 : 1;
}
