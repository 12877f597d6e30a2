// correct: like launch_high_grid, but the many blocks are counted in x.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count(int* x) {
  if (threadIdx.x == 0) atomicAdd(x, 1);
}

int main() {
  constexpr int rows = 70000;
  int value = 0;
  int* x = nullptr;
  CHECK(cudaMalloc(&x, sizeof(int)));
  CHECK(cudaMemset(x, 0, sizeof(int)));
  count<<<dim3(rows, 1), 32>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&value, x, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  return value == rows ? 0 : 1;
}
