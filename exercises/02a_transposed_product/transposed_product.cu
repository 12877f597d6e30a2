// Exercise 02a: y = A^T x with A row-major, and eight columns of A a thread.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 02a

#include "check.hpp"

// A block has 128 threads and a thread has 8 columns, so a block takes care of 1024 columns.

// y(j) = sum over i of A(i, j) x(i).
// A is m x n, row-major: A(i, j) is A[i * n + j]. x has m elements, y has n.
__global__ void transposed_product(const float* A, const float* x, float* y, int m, int n) {
  // TODO (15 lines): which columns are this thread's? Add them up together, row after row,
  // with one load of x(i) for all of them. The sums can be kept in a small array.
}

// All pointers are to device memory. n may be 0, and so may m: then y is 0.
void launch_transposed_product(const float* A, const float* x, float* y, int m, int n) {
  // TODO (5 lines): launch as many blocks of 128 threads as it takes; check the launch.
}
