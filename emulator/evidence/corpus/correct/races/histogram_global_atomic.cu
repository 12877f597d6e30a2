// correct: like race_histogram_global, but the bins are counted with atomicAdd.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void histogram(int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[i % 10], 1);
}

int main() {
  int result[10];
  int* y = nullptr;
  CHECK(cudaMalloc(&y, sizeof(result)));
  CHECK(cudaMemset(y, 0, sizeof(result)));
  histogram<<<8, 128>>>(y, 1000);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, y, sizeof(result), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(y));
  for (int i = 0; i < 10; ++i) {
    if (result[i] != 100) return 1;
  }
  return 0;
}
