// correct: like race_chain_without_release, race_chain_flag_first, race_chain_value_first and
// race_chain_plain_flag, with everything in its place. The second half of the blocks has fences and
// a relaxed flag instead, which orders the same.
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
  if (b > 0 && b < 4) {
    while (Flag(flags[b - 1]).load(cuda::memory_order_acquire) == 0) {
    }
    sum += values[b - 1];
  } else if (b >= 4) {
    while (Flag(flags[b - 1]).load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    sum += values[b - 1];
  }
  values[b] = sum;
  if (b < 4) {
    Flag(flags[b]).store(1, cuda::memory_order_release);
  } else {
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    Flag(flags[b]).store(1, cuda::memory_order_relaxed);
  }
  y[b] = sum;
}

int main() {
  int values_of_x[8];
  int result[8];
  for (int i = 0; i < 8; ++i) values_of_x[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values_of_x)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values_of_x, sizeof(values_of_x), cudaMemcpyHostToDevice));
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
