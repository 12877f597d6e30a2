// bug: uninitialised
// where: y[i] += before_tile[blockIdx.x];
// The last tile is ragged, and leaves before it has published: the next launch reads what nobody
// has written.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

constexpr int n = 200;

__global__ void publish(const int* x, int* before_tile) {
  const int first = blockIdx.x * 64;
  if (first + 64 > n) return;
  int sum = 0;
  for (int i = 0; i < first; ++i) sum += x[i];
  before_tile[blockIdx.x] = sum;
}
__global__ void add(int* y, const int* before_tile) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) y[i] += before_tile[blockIdx.x];
}

int main() {
  int *x = nullptr, *before_tile = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&before_tile, 4 * sizeof(int)));
  CHECK(cudaMemset(x, 0, n * sizeof(int)));
  publish<<<4, 1>>>(x, before_tile);
  CHECK(cudaGetLastError());
  add<<<4, 64>>>(x, before_tile);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(before_tile));
  return 0;
}
