// What exercise 06c is compared with on a GPU: the kernel as it is handed out, one thread per row.

#include "check.hpp"

__global__ void column_sums_by_rows(const float* A, int lda, float* s, int m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  const float* const row = A + static_cast<size_t>(i) * lda;
  for (int j = 0; j < n; ++j) atomicAdd(&s[j], row[j]);
}

void launch_naive(const float* A, int lda, float* s, int m, int n) {
  if (n == 0) return;
  CUDA_CHECK(cudaMemset(s, 0, n * sizeof(float)));
  if (m == 0) return;
  column_sums_by_rows<<<(m - 1) / 128 + 1, 128>>>(A, lda, s, m, n);
  CUDA_CHECK_LAUNCH();
}
