// bug: race
// where: atomicExch(flag, 1)
// where: seen[blockIdx.x] = *flag
// One side of the flag is atomic, the other is an ordinary load: that is no synchronisation.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void look(int* flag, int* seen) {
  if (blockIdx.x == 0) {
    atomicExch(flag, 1);
    seen[0] = 1;
  } else {
    seen[blockIdx.x] = *flag;
  }
}

int main() {
  int *flag = nullptr, *seen = nullptr;
  CHECK(cudaMalloc(&flag, sizeof(int)));
  CHECK(cudaMalloc(&seen, 8 * sizeof(int)));
  CHECK(cudaMemset(flag, 0, sizeof(int)));
  look<<<8, 1>>>(flag, seen);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(flag));
  CHECK(cudaFree(seen));
  return 0;
}
