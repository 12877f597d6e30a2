// correct: each lane waits for the flag of the one before, and goes on from its result.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void add(int* sums, int* flags) {
  const int t = threadIdx.x;
  volatile int* flag = flags;
  int before = 0;
  if (t > 0) {
    while (flag[t - 1] == 0) {
    }
    __threadfence();
    before = sums[t - 1];
  }
  sums[t] = before + t;
  __threadfence();
  flag[t] = 1;
}

int main() {
  int* d = nullptr;
  int result[64];
  CHECK(cudaMalloc(&d, 1024 * sizeof(int)));
  CHECK(cudaMemset(d, 0, 1024 * sizeof(int)));
  add<<<1, 64>>>(d, d + 512);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, d, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  return result[63] == 2016 ? 0 : 1;
}
