// The last tile of keys is not full. What it lacks is the greatest key, and not written back.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void ranks(const unsigned* x, unsigned* y, int n) {
  __shared__ unsigned keys[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 64 + t;
  keys[t] = i < n ? x[i] : ~0U;
  __syncthreads();
  if (i >= n) return;
  unsigned rank = 0;
  for (int k = 0; k < 64; ++k) {
    if (keys[k] < keys[t] || (keys[k] == keys[t] && k < t)) ++rank;
  }
  y[blockIdx.x * 64 + rank] = keys[t];
}

int main() {
  constexpr int n = 150;
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&y, n * sizeof(unsigned)));
  CHECK(cudaMemset(x, 1, n * sizeof(unsigned)));
  CHECK(cudaMemset(y, 0, n * sizeof(unsigned)));
  ranks<<<3, 64>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
