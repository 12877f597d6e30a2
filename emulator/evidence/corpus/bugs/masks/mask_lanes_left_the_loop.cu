// bug: bad-mask
// where: __ballot_sync(0xFFFFFFFF, trip % 2)
// Lane t makes t + 1 trips. From the second on, the mask names lanes that have left.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void vote(unsigned* y, unsigned* z) {
  const int t = threadIdx.x;
  unsigned votes = 0;
  for (int trip = 0;; ++trip) {
    if (trip > t) break;
    votes += __ballot_sync(0xFFFFFFFF, trip % 2);
    y[32 * trip + t] = votes;
  }
  z[t] = votes;
}

int main() {
  unsigned *y = nullptr, *z = nullptr;
  CHECK(cudaMalloc(&y, 32 * 32 * sizeof(unsigned)));
  CHECK(cudaMalloc(&z, 32 * sizeof(unsigned)));
  vote<<<1, 32>>>(y, z);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(y));
  CHECK(cudaFree(z));
  return 0;
}
