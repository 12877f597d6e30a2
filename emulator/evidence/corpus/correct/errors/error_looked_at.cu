// correct: like unchecked_no_memory, but the error is seen, dealt with and cleared.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* x) {
  x[threadIdx.x] = 9;
}

int main() {
  int values[32];
  int* x = nullptr;
  if (cudaMalloc(&x, 1ULL << 60) != cudaSuccess) {
    if (cudaGetLastError() != cudaErrorMemoryAllocation) return 1;
    CHECK(cudaMalloc(&x, sizeof(values)));
  }
  fill<<<1, 32>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (const int value : values) {
    if (value != 9) return 1;
  }
  return 0;
}
