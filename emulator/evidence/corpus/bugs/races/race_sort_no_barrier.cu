// bug: race
// where: keys[t] = t < other ? min(keys[t], keys[other]) : max(keys[t], keys[other])
// Odd-even sort: a round compares with the neighbour on the other side, before that one is ready.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void sort(int* x, int n) {
  extern __shared__ int keys[];
  const int t = threadIdx.x;
  keys[t] = x[t];
  __syncthreads();
  for (int round = 0; round < n; ++round) {
    const int other = round % 2 == t % 2 ? t + 1 : t - 1;
    if (other < 0 || other >= n) continue;
    keys[t] = t < other ? min(keys[t], keys[other]) : max(keys[t], keys[other]);
  }
  __syncthreads();
  x[t] = keys[t];
}

int main() {
  constexpr int n = 256;
  int* x = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMemset(x, 0, n * sizeof(int)));
  sort<<<1, n, n * sizeof(int)>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
