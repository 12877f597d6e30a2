// correct: like uaf_table, but the rows live as long as the table.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* const* rows) {
  rows[blockIdx.x][threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
}

int main() {
  int values[64];
  int* rows[4] = {};
  int** table = nullptr;
  for (int*& row : rows) CHECK(cudaMalloc(&row, sizeof(values)));
  CHECK(cudaMalloc(&table, sizeof(rows)));
  CHECK(cudaMemcpy(table, rows, sizeof(rows), cudaMemcpyHostToDevice));
  fill<<<4, 64>>>(table);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(values, rows[2], sizeof(values), cudaMemcpyDeviceToHost));
  for (int* row : rows) CHECK(cudaFree(row));
  CHECK(cudaFree(table));
  for (int i = 0; i < 64; ++i) {
    if (values[i] != 200 + i) return 1;
  }
  return 0;
}
