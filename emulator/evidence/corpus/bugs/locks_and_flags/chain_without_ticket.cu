// bug: unordered
// where: while (ready[block - 1] == 0) {
// severity: warning
// mend: atomicAdd
// no: race
// Each block waits for the one with the number before its own, which may not have begun.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int sums[8];
__device__ volatile int ready[8];

__global__ void running_sum(const int* x) {
  const unsigned block = blockIdx.x;
  int sum = x[block];
  if (block > 0) {
    while (ready[block - 1] == 0) {
    }
    __threadfence();
    sum += sums[block - 1];
  }
  sums[block] = sum;
  __threadfence();
  ready[block] = 1;
}

int main() {
  int* x = nullptr;
  CHECK(cudaMalloc(&x, 8 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 8 * sizeof(int)));
  running_sum<<<8, 1>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
