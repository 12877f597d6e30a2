// bug: race
// where: values[b] = sum;
// where: const int before = b > 0 ? values[b - 1] : 0;
// mend: __threadfence()
// The value is read before the flag says that it is there.
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
  const int before = b > 0 ? values[b - 1] : 0;
  while (b > 0 && Flag(flags[b - 1]).load(cuda::memory_order_acquire) == 0) {
  }
  const int sum = before + x[b];
  values[b] = sum;
  Flag(flags[b]).store(1, cuda::memory_order_release);
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
