// correct: like race_scan_in_place, but each step writes to the other buffer.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void scan(int* x) {
  __shared__ int sums[2][128];
  const int t = threadIdx.x;
  int from = 0;
  sums[0][t] = x[t];
  for (int step = 1; step < 128; step *= 2) {
    __syncthreads();
    sums[1 - from][t] = sums[from][t] + (t >= step ? sums[from][t - step] : 0);
    from = 1 - from;
  }
  x[t] = sums[from][t];
}

int main() {
  int values[128];
  for (int i = 0; i < 128; ++i) values[i] = i;
  int* x = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  scan<<<1, 128>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int i = 0; i < 128; ++i) {
    if (values[i] != i * (i + 1) / 2) return 1;
  }
  return 0;
}
