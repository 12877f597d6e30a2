// correct: like race_warp_synchronous, but values go from register to register.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* y) {
  const int t = threadIdx.x;
  int value = x[t];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xFFFFFFFF, value, step);
  if (t == 0) *y = value;
}

int main() {
  int values[32];
  int result[1];
  for (int i = 0; i < 32; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  total<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == 31 * 16 ? 0 : 1;
}
