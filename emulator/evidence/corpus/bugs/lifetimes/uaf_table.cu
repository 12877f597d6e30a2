// bug: use-after-free
// where: rows[blockIdx.x][threadIdx.x] = 1.0F
// A table on the device holds pointers to four rows, and row 2 has been freed.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* const* rows) {
  rows[blockIdx.x][threadIdx.x] = 1.0F;
}

int main() {
  constexpr int n = 64;
  float* rows[4] = {};
  for (float*& row : rows) CHECK(cudaMalloc(&row, n * sizeof(float)));
  float** table = nullptr;
  CHECK(cudaMalloc(&table, sizeof(rows)));
  CHECK(cudaMemcpy(table, rows, sizeof(rows), cudaMemcpyHostToDevice));
  CHECK(cudaFree(rows[2]));
  fill<<<4, n>>>(table);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (const int r : {0, 1, 3}) CHECK(cudaFree(rows[r]));
  CHECK(cudaFree(table));
  return 0;
}
