// bug: out-of-bounds
// where: A[row * m + col] = 1.0F
// A row-major matrix has n elements a row. With m, right only where m = n, a tall one overflows.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* A, int m, int n) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && col < n) A[row * m + col] = 1.0F;
}

int main() {
  constexpr int m = 96;
  constexpr int n = 40;
  float* A = nullptr;
  CHECK(cudaMalloc(&A, m * n * sizeof(float)));
  const dim3 block(16, 16);
  const dim3 grid((n + 15) / 16, (m + 15) / 16);
  fill<<<grid, block>>>(A, m, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(A));
  return 0;
}
