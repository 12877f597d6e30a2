// Exercise 08a: C = A B^T by tiles in shared memory, with one thread per element of C.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 08a

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

constexpr int tile = 32;
static_assert(tile * tile <= 1024, "a block has no more threads than that");

// C(row, col) = sum over p of A(row, p) B(col, p).
// A is m x k, B is n x k, C is m x n; all are row-major, without gaps.
__global__ void product(const float* A, const float* B, float* C, int m, int n, int k) {
  // TODO (16 lines): the two tiles; this thread's element of C, if it has one, and its sum;
  // the walk along k.
}

// All pointers are to device memory. m, n and k may be 0; with k = 0 every element of C is 0.
// m is 65535 * 32 at most: one grid is enough.
void launch_product(const float* A, const float* B, float* C, int m, int n, int k) {
  // TODO (4 lines): launch product() with enough blocks of tile x tile threads; check it.
}
