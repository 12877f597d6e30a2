// bug: bad-mask
// where: votes = __ballot_sync(0xFFFFFFFF, x[i] > 0)
// severity: warning
// mend: the same call
// Each half of the warp votes in a branch of its own.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count(const int* x, unsigned* y) {
  const int i = threadIdx.x;
  unsigned votes = 0;
  if (i < 16) {
    votes = __ballot_sync(0xFFFFFFFF, x[i] > 0);
  } else {
    votes = __ballot_sync(0xFFFFFFFF, x[i] < 0);
  }
  y[i] = __popc(votes);
}

int main() {
  int* x = nullptr;
  unsigned* y = nullptr;
  CHECK(cudaMalloc(&x, 32 * sizeof(int)));
  CHECK(cudaMalloc(&y, 32 * sizeof(unsigned)));
  CHECK(cudaMemset(x, 0, 32 * sizeof(int)));
  count<<<1, 32>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
