// bug: uninitialised
// where: CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost))
// The kernel computes n - 1 differences, and the host fetches n of them.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void differences(const int* x, int* y, int n) {
  const int i = threadIdx.x;
  if (i + 1 < n) y[i] = x[i + 1] - x[i];
}

int main() {
  constexpr int n = 100;
  int result[n];
  int *x = nullptr, *y = nullptr;
  CHECK(cudaMalloc(&x, n * sizeof(int)));
  CHECK(cudaMalloc(&y, n * sizeof(int)));
  CHECK(cudaMemset(x, 0, n * sizeof(int)));
  differences<<<1, 128>>>(x, y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  return 0;
}
