// bug: uninitialised
// where: y[i] = x[i] + 1
// The first kernel writes the even elements alone; the second one reads all.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill_even(int* x, int n) {
  const int i = 2 * threadIdx.x;
  if (i < n) x[i] = i;
}

__global__ void add_one(const int* x, int* y, int n) {
  const int i = threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}

int main() {
  constexpr int n = 100;
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&y, n * sizeof(int)));
  fill_even<<<1, 128>>>(x, n);
  CHECK(cudaGetLastError());
  add_one<<<1, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
