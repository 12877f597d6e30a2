// bug: race
// where: const int ticket = (*arrived)++
// The blocks count themselves without an atomic function: two may see the same number, and then
// there is no last block.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void count_blocks(int* arrived, int* y) {
  if (threadIdx.x != 0) return;
  const int ticket = (*arrived)++;
  y[blockIdx.x] = ticket;
}

int main() {
  constexpr int blocks = 16;
  int *arrived = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&arrived, sizeof(int)));
  CHECK(cudaMalloc(&y, blocks * sizeof(int)));
  CHECK(cudaMemset(arrived, 0, sizeof(int)));
  count_blocks<<<blocks, 32>>>(arrived, y);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(arrived));
  CHECK(cudaFree(y));
  return 0;
}
