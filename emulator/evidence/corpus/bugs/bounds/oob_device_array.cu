// bug: out-of-bounds
// where: table[i] = 2 * i
// The table, a variable of the device, has 100 elements; 128 threads write one each.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__device__ int table[100];

__global__ void fill() {
  const int i = threadIdx.x;
  table[i] = 2 * i;
}

int main() {
  int host_table[100];
  fill<<<1, 128>>>();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyFromSymbol(host_table, table, sizeof(host_table)));
  return 0;
}
