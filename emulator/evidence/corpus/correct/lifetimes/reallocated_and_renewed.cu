// correct: like uaf_reallocated, but the kernel is given the new pointer.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

int main() {
  int values[512];
  int* buffer = nullptr;
  for (int n = 128; n <= 512; n *= 2) {
    CHECK(cudaFree(buffer));  // a null pointer at first, which is allowed
    CHECK(cudaMalloc(&buffer, n * sizeof(int)));
    fill<<<n / 128, 128>>>(buffer, n);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaMemcpy(values, buffer, sizeof(values), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(buffer));
  for (int i = 0; i < 512; ++i) {
    if (values[i] != i) return 1;
  }
  return 0;
}
