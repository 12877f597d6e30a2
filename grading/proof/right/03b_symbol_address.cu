// A right solution for 03b: x goes to constant memory by the address of the symbol.
// expected: full marks

#include <algorithm>

#include "check.hpp"

__constant__ float part[16384];
__global__ void one_batch(const float* A, const float* b, float* r, int m, int begin, int count) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float rest = begin == 0 ? b[row] : r[row];
  for (int j = 0; j < count; ++j) rest -= A[size_t(begin + j) * m + row] * part[j];
  r[row] = rest;
}
void launch_batches(const float* A, const float* x, const float* b, float* r, int m, int n,
                    int batch) {
  if (m == 0) return;
  for (int begin = 0; begin == 0 || begin < n; begin += batch) {
    const int count = std::min(batch, n - begin);
    if (count > 0) {
      float* there = nullptr;
      CUDA_CHECK(cudaGetSymbolAddress((void**)&there, part));
      CUDA_CHECK(cudaMemcpy(there, x + begin, sizeof(float) * count, cudaMemcpyDeviceToDevice));
    }
    one_batch<<<(m + 31) / 32, 32>>>(A, b, r, m, begin, count);
    CUDA_CHECK_LAUNCH();
  }
}
