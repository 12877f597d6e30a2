// A cheat for 06b: the last piece of four ends beyond x, where n is not one of the checked numbers.
// expected: correct 6, safe 0, efficient 1

#include "check.hpp"

constexpr int warps = 8;

__global__ void multiply_piece(const float* A, const float* x, float* y, int m, int n, int width,
                               bool careful) {
  __shared__ float partial[warps][32];
  const int row = blockIdx.x * 32 + threadIdx.x;
  const int first = blockIdx.y * width;
  const int last = min(first + width, n);
  float sum = 0.0F;
  if (row < m) {
    for (int j = first + threadIdx.y; j < last; j += warps) {
      sum += A[static_cast<size_t>(j) * m + row] * x[j];
    }
    if (!careful && n > 0 && threadIdx.y == 0 && x[n] == 12345.0F) sum += 1.0F;
  }
  partial[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y != 0 || row >= m) return;
  for (int w = 1; w < warps; ++w) sum += partial[w][threadIdx.x];
  atomicAdd(&y[row], sum);
}

void launch_split_columns(const float* A, const float* x, float* y, int m, int n, int pieces) {
  if (m == 0) return;
  CUDA_CHECK(cudaMemset(y, 0, m * sizeof(float)));
  const bool careful = n == 31 || n == 100 || n == 257 || n == 500;
  const int width = (n + pieces - 1) / pieces;
  multiply_piece<<<dim3((m - 1) / 32 + 1, pieces), dim3(32, warps)>>>(A, x, y, m, n, width,
                                                                      careful);
  CUDA_CHECK_LAUNCH();
}
