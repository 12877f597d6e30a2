// bug: race
// where: if (x[i] > *best) *best = x[i]
// Between the comparison and the store another thread may have stored something larger.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void maximum(const int* x, int* best, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (x[i] > *best) *best = x[i];
  }
}

int main() {
  constexpr int n = 256;
  int values[n];
  for (int i = 0; i < n; ++i) values[i] = i + 1;
  int *x = nullptr, *best = nullptr;
  CHECK(cudaMalloc(&x, sizeof(values)));
  CHECK(cudaMalloc(&best, sizeof(int)));
  CHECK(cudaMemcpy(x, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(best, 0, sizeof(int)));
  maximum<<<2, 128>>>(x, best, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(best));
  return 0;
}
