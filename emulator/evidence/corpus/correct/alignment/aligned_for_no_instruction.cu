// correct: like misaligned_row, but the type wants more than the widest access, 16 bytes.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

struct alignas(32) Row {
  int elements[8];
};

__global__ void last_of_rows(const int* numbers, int* y) {
  const Row* rows = reinterpret_cast<const Row*>(numbers + 4);
  y[threadIdx.x] = rows[threadIdx.x].elements[7];
}

int main() {
  constexpr int n = 32;
  int values[8 * n + 4];
  int result[n];
  for (int i = 0; i < 8 * n + 4; ++i) values[i] = i;
  int* x = nullptr;
  int* y = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  last_of_rows<<<1, n>>>(x, y);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  for (int i = 0; i < n; ++i) {
    if (result[i] != 8 * i + 11) return 1;
  }
  return 0;
}
