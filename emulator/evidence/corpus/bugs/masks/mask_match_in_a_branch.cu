// bug: bad-mask
// where: __match_any_sync
// The last warp of a tile is not full. Lanes without a key take the other way, and the mask of the
// match names them.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void ranks(const unsigned* x, unsigned* y, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    const unsigned peers = __match_any_sync(0xFFFFFFFF, x[i] % 4);
    y[i] = __popc(peers & ((1U << i % 32) - 1));
  } else {
    __syncwarp();
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
