// A cheat for 03b: copies the columns of A to constant memory, batch by batch, by the call that is
// there for x.
// expected: correct 7, safe 1, efficient 0

#include <algorithm>

#include "check.hpp"

__constant__ float A_constant[16384];

__global__ void residual(const float* A, const float* x, const float* b, float* r, int m, int begin,
                         int count, bool is_constant) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float rest = begin == 0 ? b[row] : r[row];
  for (int j = 0; j < count; ++j) {
    const float a = is_constant ? A_constant[j * m + row] : A[size_t(begin + j) * m + row];
    rest -= a * x[begin + j];
  }
  r[row] = rest;
}

void launch_batches(const float* A, const float* x, const float* b, float* r, int m, int n,
                    int batch) {
  if (m == 0) return;
  int begin = 0;
  do {
    const int count = std::min(batch, n - begin);
    const size_t elements = size_t(count) * m;
    const bool fits = elements <= 16384;
    if (fits) {
      CUDA_CHECK(cudaMemcpyToSymbolAsync(A_constant, A + size_t(begin) * m,
                                         sizeof(float) * elements, 0, cudaMemcpyDeviceToDevice));
    }
    residual<<<(m + 127) / 128, 128>>>(A, x, b, r, m, begin, count, fits);
    CUDA_CHECK_LAUNCH();
    begin += count;
  } while (begin < n);
}
