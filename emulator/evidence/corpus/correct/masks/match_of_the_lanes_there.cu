// The last warp of a tile is not full. A ballot of all lanes says which ones have a key, and the
// match is among these.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void ranks(const unsigned* x, unsigned* y, int n) {
  const int i = threadIdx.x;
  const unsigned there = __ballot_sync(0xFFFFFFFF, i < n);
  if (i < n) {
    const unsigned peers = __match_any_sync(there, x[i] % 4);
    y[i] = __popc(peers & ((1U << i % 32) - 1));
  }
}

int main() {
  constexpr int n = 40;
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&y, n * sizeof(unsigned)));
  CHECK(cudaMemset(x, 1, n * sizeof(unsigned)));
  CHECK(cudaMemset(y, 0, n * sizeof(unsigned)));
  ranks<<<1, 64>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
