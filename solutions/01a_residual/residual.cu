//@stub
//@ // Exercise 01a: the residual r = b - A x, with one thread per row.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 01a
//@solution
// Exercise 01a: the residual r = b - A x, with one thread per row. The model solution.
//
// The sum lives in a register, so r is written once and never read. Rows are lda elements apart,
// not n: what is between them is none of our business.
//@end

#include "check.hpp"

// r(i) = b(i) - sum over j of A(i, j) x(j).
// A is m x n, row-major, its rows lda >= n elements apart: A(i, j) is A[i * lda + j].
__global__ void residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                         int n) {
  //@stub
  //@ // TODO ({lines} lines): the row of this thread, if there is one; its sum; one element of r.
  //@solution
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;  // the last block may reach beyond the last row
  // In size_t: i * lda can be more than an int holds.
  const float* const row = A + static_cast<size_t>(i) * lda;
  float sum = 0.0F;
  for (int j = 0; j < n; ++j) sum += row[j] * x[j];
  r[i] = b[i] - sum;
  //@end
}

// All pointers are to device memory. m may be 0, and so may n: then r is b.
void launch_residual(const float* A, int lda, const float* x, const float* b, float* r, int m,
                     int n) {
  //@stub
  //@ // TODO ({lines} lines): launch residual() with enough blocks of 128 threads, and check the launch.
  //@solution
  constexpr int block = 128;
  if (m == 0) return;  // a grid of no blocks is an error
  const int grid = (m + block - 1) / block;
  residual<<<grid, block>>>(A, lda, x, b, r, m, n);
  CUDA_CHECK_LAUNCH();
  //@end
}
