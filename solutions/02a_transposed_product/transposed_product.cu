//@stub
//@ // Exercise 02a: y = A^T x with A row-major, and eight columns of A a thread.
//@ //
//@ // README.md beside this file says what is asked. Write where it says TODO; what is given can
//@ // stay as it is. Then:   ./course check 02a
//@solution
// Exercise 02a: y = A^T x with A row-major, and eight columns of A a thread. The model solution.
//
// The columns of a thread are not neighbours: they are a block's width apart. So at each of the
// eight the threads of a warp are side by side in a row of A, and a request is 4 sectors. Eight
// neighbouring columns a thread would put each lane in a sector of its own.
//@end

#include "check.hpp"

//@stub
//@ // A block has 128 threads and a thread has 8 columns, so a block takes care of 1024 columns.
//@solution
constexpr int block = 128;           // threads a block
constexpr int columns_a_thread = 8;  // so a block takes care of 1024 columns
//@end

// y(j) = sum over i of A(i, j) x(i).
// A is m x n, row-major: A(i, j) is A[i * n + j]. x has m elements, y has n.
__global__ void transposed_product(const float* A, const float* x, float* y, int m, int n) {
  //@stub
  //@ // TODO ({lines} lines): which columns are this thread's? Add them up together, row after row,
  //@ // with one load of x(i) for all of them. The sums can be kept in a small array.
  //@solution
  const int first = blockIdx.x * columns_a_thread * block + threadIdx.x;
  if (first >= n) return;  // not one column left for this thread

  float sum[columns_a_thread] = {};  // in registers, once the loops over it are unrolled
  for (int i = 0; i < m; ++i) {
    // In size_t: i * n can be more than an int holds.
    const float* const row = A + static_cast<size_t>(i) * n;
    const float x_i = x[i];  // once for eight columns
    for (int k = 0; k < columns_a_thread; ++k) {
      const int j = first + k * block;  // the next lane's is j + 1
      if (j < n) sum[k] += row[j] * x_i;
    }
  }
  for (int k = 0; k < columns_a_thread; ++k) {
    const int j = first + k * block;
    if (j < n) y[j] = sum[k];
  }
  //@end
}

// All pointers are to device memory. n may be 0, and so may m: then y is 0.
void launch_transposed_product(const float* A, const float* x, float* y, int m, int n) {
  //@stub
  //@ // TODO ({lines} lines): launch as many blocks of 128 threads as it takes; check the launch.
  //@solution
  if (n == 0) return;  // a grid of no blocks is an error
  constexpr int columns_a_block = block * columns_a_thread;
  const int grid = (n + columns_a_block - 1) / columns_a_block;
  transposed_product<<<grid, block>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
  //@end
}
