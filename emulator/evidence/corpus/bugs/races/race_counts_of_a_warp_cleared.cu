// bug: race
// where: counts[d] = 0
// where: counts[digit] + __popc
// mend: __syncwarp
// A warp clears its counts of digits, and reads them before all of its lanes have cleared theirs.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void ranks(const unsigned* x, unsigned* y) {
  __shared__ unsigned counts[64];
  const unsigned lane = threadIdx.x;
  for (unsigned d = lane; d < 64; d += 32) counts[d] = 0;
  for (int k = 0; k < 4; ++k) {
    const unsigned digit = (x[k * 32 + lane] + 5 * lane) % 64;
    const unsigned peers = __match_any_sync(0xFFFFFFFF, digit);
    const unsigned rank = counts[digit] + __popc(peers & ((1U << lane) - 1));
    __syncwarp();
    if (peers >> lane == 1) counts[digit] = rank + 1;
    __syncwarp();
    y[k * 32 + lane] = rank;
  }
}

int main() {
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(unsigned)));
  CHECK(cudaMalloc(&y, 128 * sizeof(unsigned)));
  CHECK(cudaMemset(x, 1, 128 * sizeof(unsigned)));
  CHECK(cudaMemset(y, 0, 128 * sizeof(unsigned)));
  ranks<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
