// correct: like race_global_scratch, but barriers part the rounds' halves.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void exchange(int* x, int rounds) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  for (int round = 0; round < rounds; ++round) {
    const int other = x[i ^ 64];
    __syncthreads();
    x[i] = other + 1;
    __syncthreads();
  }
}

int main() {
  int values[256];
  for (int i = 0; i < 256; ++i) values[i] = i;
  int* x = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  exchange<<<2, 128>>>(x, 3);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, x, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  for (int i = 0; i < 256; ++i) {
    if (values[i] != (i ^ 64) + 3) return 1;
  }
  return 0;
}
