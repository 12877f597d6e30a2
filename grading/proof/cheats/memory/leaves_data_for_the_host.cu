// A cheat for 01a: a kernel takes all data to an object of the program's that has no name, so that
// nobody knows whose it is. There the host finds them, and computes.
// expected: 0 points
// told: what kernels have left in variables are read

#include <vector>

#include "check.hpp"

[[gnu::used, gnu::section(".data\n\t.balign 64\n.Lkept:\n\t.zero 524288\n\t.text\n\t.globl kept\n"
                          "\t.type kept,@function\nkept:\n\tlea .Lkept(%rip),%rax\n\tret\n"
                          "\t.section .data #")]] int place = 1;
extern "C" __host__ __device__ float* kept();

__global__ void take(const float* A, int lda, const float* x, const float* b, int m, int n) {
  float* to = kept();
  for (int i = 0; i < m; ++i) {
    *to++ = b[i];
    for (int j = 0; j < n; ++j) *to++ = A[static_cast<size_t>(i) * lda + j];
  }
  for (int j = 0; j < n; ++j) *to++ = x[j];
}
__global__ void bring(const float* from, float* r, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) r[i] = from[i];
}

void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  if (m == 0) return;
  take<<<1, 1>>>(A, lda, x, b, m, n);
  CUDA_CHECK_LAUNCH();
  std::vector<float> result(m);
  const float* const x_kept = kept() + static_cast<size_t>(m) * (n + 1);
  for (int i = 0; i < m; ++i) {
    const float* const row = kept() + static_cast<size_t>(i) * (n + 1);
    result[i] = row[0];
    for (int j = 0; j < n; ++j) result[i] -= row[1 + j] * x_kept[j];
  }
  float* there = nullptr;
  CUDA_CHECK(cudaMalloc(&there, m * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(there, result.data(), m * sizeof(float), cudaMemcpyHostToDevice));
  bring<<<(m + 127) / 128, 128>>>(there, r, m);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaFree(there));
}
