// Exercise 03b: a bug hunt. r = b - A x, with x in constant memory, batch by batch.
//
// README.md beside this file says what the code is meant to do, and what shows of its mistakes.
// Then:   ./course check 03b

#include <algorithm>

#include "check.hpp"

constexpr int most = 16384;  // columns that a batch may have: 64 KB of floats
__constant__ float x_constant[most];

// One batch of r(row) = b(row) - sum over j of A(row, j) x(j): the columns begin ... begin + count
// - 1 of A, which is column-major with m rows. Their part of x is in x_constant.
__global__ void take_off(const float* A, const float* b, float* r, int m, int begin, int count) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float rest = b[row];
  for (int j = 0; j < count; ++j) {
    rest -= A[static_cast<size_t>(begin + j) * m + row] * x_constant[j];
  }
  r[row] = rest;
}

// r = b - A x, with A of m x n, column-major, `batch` columns a launch (1 to 16384); the last
// launch may have fewer. All pointers are to device memory. m may be 0, and so may n: then r is b.
void launch_batches(const float* A, const float* x, const float* b, float* r, int m, int n,
                    int batch) {
  if (m == 0) return;  // a grid of no blocks is an error
  constexpr int block = 128;
  const int grid = (m + block - 1) / block;
  int begin = 0;
  do {  // once even for n = 0, to set r to b
    const int count = std::min(batch, n - begin);
    CUDA_CHECK(cudaMemcpyToSymbolAsync(x_constant, x + begin, count, 0, cudaMemcpyDeviceToDevice));
    take_off<<<grid, block>>>(A, b, r, m, begin, batch);
    CUDA_CHECK_LAUNCH();
    begin += count;
  } while (begin < n);
}
