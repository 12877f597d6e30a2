// correct: a histogram in which each bucket has a lock. Lanes of one warp want different buckets
// and the same one. The lock is given back through volatile.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add(int* buckets, int* locks) {
  const int bucket = threadIdx.x * 7 % 8;
  volatile int* lock = locks + bucket;
  bool done = false;
  while (!done) {
    if (*lock == 0 && atomicCAS(locks + bucket, 0, 1) == 0) {
      __threadfence();
      buckets[bucket] = buckets[bucket] + 1;
      __threadfence();
      *lock = 0;
      done = true;
    }
  }
}

int main() {
  int* d = nullptr;
  int result[8];
  CHECK(cudaMalloc(&d, 1024 * sizeof(int)));
  CHECK(cudaMemset(d, 0, 1024 * sizeof(int)));
  add<<<3, 64>>>(d, d + 512);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, d, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  for (const int count : result) {
    if (count != 24) return 1;
  }
  return 0;
}
