// correct: like race_sort_no_barrier, but each step has its barrier.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void sort(int* x, int n) {
  extern __shared__ int keys[];
  const int t = threadIdx.x;
  keys[t] = x[t];
  for (int size = 2; size <= n; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const int other = t ^ step;
      if (other > t && (keys[t] > keys[other]) == ((t & size) == 0)) {
        const int key = keys[t];
        keys[t] = keys[other];
        keys[other] = key;
      }
    }
  }
  __syncthreads();
  x[t] = keys[t];
}

int main() {
  int values[256];
  for (int i = 0; i < 256; ++i) values[i] = (i * 77) % 256;
  int* x = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  sort<<<1, 256, 256 * sizeof(int)>>>(x, 256);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int i = 0; i < 256; ++i) {
    if (values[i] != i) return 1;
  }
  return 0;
}
