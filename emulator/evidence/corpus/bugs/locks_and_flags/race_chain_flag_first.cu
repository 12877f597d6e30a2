// bug: race
// where: values[b] = sum;
// where: sum += values[b - 1];
// mend: write the data first
// The flag is released, but before the value is written: the release does not cover it.
#include <cuda_runtime.h>
#include <cuda/atomic>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

__device__ int ticket;
__device__ int values[8];
__device__ int flags[8];

__global__ void running_sum(const int* x, int* y) {
  const int b = atomicAdd(&ticket, 1);
  int sum = x[b];
  if (b > 0) {
    while (Flag(flags[b - 1]).load(cuda::memory_order_acquire) == 0) {
    }
    sum += values[b - 1];
  }
  Flag(flags[b]).store(1, cuda::memory_order_release);
  values[b] = sum;
  y[b] = sum;
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 8 * sizeof(int)));
  CHECK(cudaMalloc(&y, 8 * sizeof(int)));
  CHECK(cudaMemset(x, 0, 8 * sizeof(int)));
  running_sum<<<8, 1>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
