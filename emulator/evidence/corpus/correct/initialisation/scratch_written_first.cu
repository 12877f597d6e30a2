// correct: like uninit_every_second, but the first kernel writes every element.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* scratch) {
  scratch[2 * threadIdx.x] = threadIdx.x;
  scratch[2 * threadIdx.x + 1] = 0;
}

__global__ void add_one(const int* scratch, int* y) {
  y[threadIdx.x] = scratch[threadIdx.x] + 1;
}

int main() {
  int result[100];
  int* y = nullptr;
  CHECK(cudaMalloc(&y, sizeof(result)));
  int* scratch = nullptr;
  CHECK(cudaMalloc(&scratch, 100 * sizeof(int)));
  fill<<<1, 50>>>(scratch);
  CHECK(cudaGetLastError());
  add_one<<<1, 100>>>(scratch, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(y));
  CHECK(cudaFree(scratch));
  for (int i = 0; i < 100; ++i) {
    if (result[i] != (i % 2 == 0 ? i / 2 + 1 : 1)) return 1;
  }
  return 0;
}
