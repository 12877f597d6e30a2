// correct: an object of cuda::atomic in managed memory, which all threads of the grid change, and
// the host reads afterwards.
#include <cuda_runtime.h>
#include <cuda/atomic>

#include <new>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

using Counter = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void count(Counter* counter) {
  counter->fetch_add(1, cuda::memory_order_relaxed);
  if (threadIdx.x == 0) ++*counter;
  int seen = counter->load(cuda::memory_order_acquire);
  while (threadIdx.x == 1 && !counter->compare_exchange_weak(seen, seen + 10)) {
  }
}

int main() {
  Counter* counter = nullptr;
  CHECK(cudaMallocManaged(&counter, sizeof *counter));
  new (counter) Counter(0);
  count<<<4, 32>>>(counter);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const int result = counter->load();
  CHECK(cudaFree(counter));
  return result == 128 + 4 + 40 ? 0 : 1;
}
