// correct: like oob_no_bounds_check, but the loop ends at n, whatever the grid.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add_one(int* x, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    x[i] += 1;
  }
}

int main() {
  int values[1000];
  for (int i = 0; i < 1000; ++i) values[i] = i;
  int* x = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  add_one<<<3, 96>>>(x, 1000);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int i = 0; i < 1000; ++i) {
    if (values[i] != i + 1) return 1;
  }
  return 0;
}
