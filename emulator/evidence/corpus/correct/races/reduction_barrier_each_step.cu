// correct: like race_reduction_one_barrier, but each step has its barrier.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void total(const int* x, int* y) {
  __shared__ int part[256];
  const int t = threadIdx.x;
  part[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) y[blockIdx.x] = part[0];
}

int main() {
  int values[1024];
  int result[4];
  for (int i = 0; i < 1024; ++i) values[i] = i / 256 + 1;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  total<<<4, 256>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < 4; ++i) {
    if (result[i] != 256 * (i + 1)) return 1;
  }
  return 0;
}
