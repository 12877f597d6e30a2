// bug: invalid-launch
// where: fill<<<1, n>>>(x, n)
// A block has at most 1024 threads.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* x, int n) {
  const int i = threadIdx.x;
  if (i < n) x[i] = 1.0F;
}

int main() {
  constexpr int n = 2048;
  float* x = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  fill<<<1, n>>>(x, n);
  const cudaError_t error = cudaGetLastError();
  CHECK(cudaFree(x));
  return error == cudaSuccess ? 0 : 1;
}
