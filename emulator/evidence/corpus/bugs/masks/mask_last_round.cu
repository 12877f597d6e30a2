// bug: bad-mask
// where: votes += __popc(__ballot_sync(0xffffffffU, x[i] > 2));
// In the last round of a grid-stride loop some lanes stay away from the vote, and end.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count(const int* x, int n, int* total) {
  int votes = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    votes += __popc(__ballot_sync(0xffffffffU, x[i] > 2));
  }
  if (threadIdx.x % 32 == 0) atomicAdd(total, votes);
}

int main() {
  int *x = nullptr, *total = nullptr;
  CHECK(cudaMalloc(&x, 150 * sizeof(int)));
  CHECK(cudaMalloc(&total, sizeof(int)));
  CHECK(cudaMemset(x, 0, 150 * sizeof(int)));
  CHECK(cudaMemset(total, 0, sizeof(int)));
  count<<<2, 64>>>(x, 150, total);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(total));
  return 0;
}
