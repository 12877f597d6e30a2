// correct: like race_last_block_fence, but a fence comes before the counting; launched twice,
// each time with another thread of each block at work.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ unsigned arrived;

__global__ void sum_all(const int* x, int* partial, int* y, unsigned worker) {
  if (threadIdx.x != worker) return;
  int sum = 0;
  for (int k = 0; k < 32; ++k) sum += x[blockIdx.x * 32 + k];
  partial[blockIdx.x] = sum;
  __threadfence();
  if (atomicAdd(&arrived, 1U) != gridDim.x - 1) return;
  __threadfence();
  int total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
  *y = total;
  arrived = 0;  // for the next launch
}

int main() {
  int values[512];
  int result[1];
  for (int i = 0; i < 512; ++i) values[i] = i;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  int* partial = nullptr;
  CHECK(cudaMalloc(&partial, 16 * sizeof(int)));
  for (const unsigned worker : {0U, 32U}) {
    sum_all<<<16, 64>>>(x, partial, y, worker);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(partial));
  return result[0] == 511 * 256 ? 0 : 1;
}
