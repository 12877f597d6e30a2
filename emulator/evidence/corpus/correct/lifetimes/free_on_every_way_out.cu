// correct: like leak_early_return, but a guard frees on every way out.
#include <cuda_runtime.h>

#include <memory>

struct Free {
  void operator()(int* x) const { cudaFree(x); }
};

__global__ void fill(int* x) {
  x[threadIdx.x] = 2;
}

// The first element, or 0 if it is not wanted.
int compute(int n, bool wanted) {
  int* x = nullptr;
  if (cudaMalloc(&x, n * sizeof(int)) != cudaSuccess) return -1;
  const std::unique_ptr<int, Free> guard(x);
  fill<<<1, n>>>(x);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return -1;
  if (!wanted) return 0;
  int first = 0;
  if (cudaMemcpy(&first, x, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return -1;
  return first;
}

int main() {
  return compute(64, true) == 2 && compute(96, false) == 0 ? 0 : 1;
}
