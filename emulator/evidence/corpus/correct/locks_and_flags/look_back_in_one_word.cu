// correct: a value and its flag in one word, relaxed: nothing else has to be seen with it. And a
// block whose threads wait for the draw, unlike race_draw_without_barrier.
#include <cuda_runtime.h>
#include <cuda/atomic>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

using Word = unsigned long long;
using SharedWord = cuda::atomic_ref<Word, cuda::thread_scope_device>;

__device__ unsigned ticket;
__device__ Word words[8];

__global__ void running_sum(const unsigned* x, unsigned* y) {
  __shared__ unsigned tile;
  __shared__ unsigned before;
  if (threadIdx.x == 0) tile = atomicAdd(&ticket, 1U);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    const Word own = x[tile];
    SharedWord(words[tile]).store(1ULL << 32 | own, cuda::memory_order_relaxed);
    for (unsigned at = tile; at > 0;) {
      const Word word = SharedWord(words[at - 1]).load(cuda::memory_order_relaxed);
      if (word >> 32 == 0) continue;
      sum += static_cast<unsigned>(word);
      if (word >> 32 == 2) break;
      --at;
    }
    SharedWord(words[tile]).store(2ULL << 32 | (sum + own), cuda::memory_order_relaxed);
    before = sum;
  }
  __syncthreads();
  if (threadIdx.x == 32) y[tile] = before + x[tile];
}

int main() {
  unsigned values[8];
  unsigned result[8];
  for (unsigned i = 0; i < 8; ++i) values[i] = i;
  unsigned *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  running_sum<<<8, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (unsigned i = 0; i < 8; ++i) {
    if (result[i] != i * (i + 1) / 2) return 1;
  }
  return 0;
}
