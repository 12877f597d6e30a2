// correct: like race_last_block_counter, but counted with atomicAdd by one thread.
// The whole block learns through shared memory whether it is the last one.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ unsigned arrived;
__device__ int partial[8];

__global__ void sum_all(const int* x, int* y) {
  __shared__ bool last;
  __shared__ int sums[64];
  const int t = threadIdx.x;
  const int sum = __syncthreads_count(x[blockIdx.x * 64 + t] != 0);
  if (t == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&arrived, 1U) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  sums[t] = t < 8 ? partial[t] : 0;
  __syncthreads();
  if (t == 0) {
    int total = 0;
    for (int k = 0; k < 64; ++k) total += sums[k];
    *y = total;
  }
}

int main() {
  int values[512];
  int result[1];
  for (int i = 0; i < 512; ++i) values[i] = i % 2;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  sum_all<<<8, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return result[0] == 256 ? 0 : 1;
}
