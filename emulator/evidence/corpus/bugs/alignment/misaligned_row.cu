// bug: misaligned
// where: row[col] = make_float2(1.0F, 2.0F)
// Rows of 33 floats: every odd row starts at a multiple of 4 bytes, but not of 8.
#include <cuda_runtime.h>

#define CHECK(call) \
  if ((call) != cudaSuccess) return 1

__global__ void fill(float* A, int n) {
  float2* row = reinterpret_cast<float2*>(A + blockIdx.x * n);
  const int col = threadIdx.x;
  if (col < n / 2) row[col] = make_float2(1.0F, 2.0F);
}

int main() {
  constexpr int m = 8;
  constexpr int n = 33;
  float* A = nullptr;
  CHECK(cudaMalloc(&A, m * n * sizeof(float)));
  fill<<<m, 32>>>(A, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(A));
  return 0;
}
