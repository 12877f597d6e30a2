// correct: like barrier_in_both_branches, but a block goes one way.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void exchange(const int* x, int* y, bool mirror) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = x[t];
  if (mirror) {
    __syncthreads();
    y[t] = tile[63 - t];
  } else {
    __syncthreads();
    y[t] = tile[t ^ 1];
  }
}

int main() {
  int values[64];
  int result[128];
  for (int i = 0; i < 64; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  exchange<<<1, 64>>>(x, y, false);
  CHECK(cudaGetLastError());
  exchange<<<1, 64>>>(x, y + 64, true);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 128; ++i) {
    if (result[i] != (i < 64 ? i ^ 1 : 127 - i)) return 1;
  }
  return 0;
}
