// correct: like race_flag_plain_read, but the flag is volatile and after a fence.
// The block that waits has drawn a later ticket than the one it waits for, so that one has started
// and will come to its end.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int tickets;
__device__ int sums[8];
__device__ volatile int ready[8];

__global__ void running_sum(const int* x, int* y) {
  const int ticket = atomicAdd(&tickets, 1);
  int sum = x[ticket];
  if (ticket > 0) {
    while (ready[ticket - 1] == 0) {
    }
    __threadfence();
    sum += *static_cast<volatile int*>(&sums[ticket - 1]);
  }
  *static_cast<volatile int*>(&sums[ticket]) = sum;
  __threadfence();
  ready[ticket] = 1;
  y[ticket] = sum;
}

int main() {
  int values[8];
  int result[8];
  for (int i = 0; i < 8; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  running_sum<<<8, 1>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 8; ++i) {
    if (result[i] != i * (i + 1) / 2) return 1;
  }
  return 0;
}
