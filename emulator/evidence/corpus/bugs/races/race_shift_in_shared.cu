// bug: race
// where: tile[t] = tile[t + 1]
// Every thread moves its right neighbour's element into its own place, with no barrier between the
// reading and the writing.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void shift(float* x) {
  __shared__ float tile[129];
  const int t = threadIdx.x;
  tile[t] = x[t];
  if (t == 0) tile[128] = 0.0F;
  __syncthreads();
  tile[t] = tile[t + 1];
  __syncthreads();
  x[t] = tile[t];
}

int main() {
  float* x = nullptr;
  CHECK(cudaMalloc(&x, 128 * sizeof(float)));
  CHECK(cudaMemset(x, 0, 128 * sizeof(float)));
  shift<<<1, 128>>>(x);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return 0;
}
