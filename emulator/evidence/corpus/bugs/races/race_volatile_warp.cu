// bug: race
// where: part[t] = part[t] + part[t + step]
// volatile makes every access happen; it makes no lane wait for another.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* y) {
  __shared__ int values[64];
  volatile int* part = values;
  const int t = threadIdx.x;
  values[t] = x[t];
  __syncthreads();
  if (t < 32) {
    for (int step = 32; step > 0; step /= 2) {
      part[t] = part[t] + part[t + step];
    }
  }
  if (t == 0) *y = values[0];
}

int main() {
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, 64 * sizeof(int)));
  CHECK(cudaMalloc(&y, sizeof(int)));
  CHECK(cudaMemset(x, 0, 64 * sizeof(int)));
  total<<<1, 64>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
