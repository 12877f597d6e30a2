// What exercise 13a is compared with on a GPU: each lane reserves its own place.

#include "check.hpp"

// Which counter a lane adds to depends on its element. If all lanes named the same one, nvcc would
// join their atomics by itself.
__global__ void one_by_one(const int* x, int n, int limit, int* below, int* rest, int* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int value = x[i];
  const int side = value < limit ? 0 : 1;
  const int place = atomicAdd(&counts[side], 1);
  (side == 0 ? below : rest)[place] = value;
}

void launch_naive(const int* x, int n, int limit, int* below, int* rest, int* counts) {
  CUDA_CHECK(cudaMemset(counts, 0, 2 * sizeof(int)));
  one_by_one<<<(n - 1) / 256 + 1, 256>>>(x, n, limit, below, rest, counts);
  CUDA_CHECK_LAUNCH();
}
