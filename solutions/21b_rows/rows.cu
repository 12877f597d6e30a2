//@stub
//@ // Exercise 21b: a bug hunt. C = A B by tensor cores, with ldmatrix.
//@ //
//@ // README.md beside this file says what shows. TODO: mend it, here in this file. Then:
//@ // ./course check 21b
//@solution
// Exercise 21b: C = A B by tensor cores. The model solution.
//
// Of A a lane names row lane % 16, and lanes 16 to 31 name the same rows 8 numbers further on. The
// pieces of a row change places every second row, for two rows of 64 bytes share the 32 banks.
//@end

#include <cuda_fp16.h>

#include <cstdint>

#include "check.hpp"
#include "instructions.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

constexpr int rows = 64;   // of C that a block computes: 16 a warp
constexpr int cols = 32;   // of C, for each of the four warps
constexpr int depth = 32;  // steps of k that a tile holds

// Where number x of a row of 32 halves is. A row has four pieces of 8, which stay together.
__device__ int place(int row, int x) {
  //@stub
  //@ return row * 32 + (x ^ row % 4 * 8);
  //@solution
  return row * 32 + (x ^ row / 2 % 4 * 8);
  //@end
}

// Some rows of 32 numbers of a matrix go to a tile. What is beyond an edge is 0.
template <int count>
__device__ void copy_tile(__half* to, const __half* from, int first_row, int first_col, int m,
                          int n) {
  const int x = threadIdx.x % 32;
  for (int y = threadIdx.x / 32; y < count; y += 4) {
    const bool there = first_row + y < m && first_col + x < n;
    to[place(y, x)] = there ? from[at(first_row + y, first_col + x, n)] : __half{};
  }
}

// A is m x k, B is k x n, C is m x n; all are row-major, without gaps. 128 threads.
__global__ void product(const __half* A, const __half* B, float* C, int m, int n, int k) {
  alignas(16) __shared__ __half A_tile[rows * depth];
  alignas(16) __shared__ __half B_tile[depth * cols];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int first_row = blockIdx.y * rows;
  const int first_col = blockIdx.x * cols;

  float sum[4][4] = {};  // four times 16 x 8
  for (int first = 0; first < k; first += depth) {
    copy_tile<rows>(A_tile, A, first_row, first, m, k);
    copy_tile<depth>(B_tile, B, first, first_col, k, n);
    __syncthreads();
    for (int p = 0; p < depth; p += 16) {
      // 16 rows of 16 numbers: rows 0 to 7 and 8 to 15 of the first 8 steps, then of the next 8.
      std::uint32_t a[4];
      //@stub
      //@ load_matrices(a, &A_tile[place(16 * warp + lane / 2, p + lane % 2 * 8)]);
      //@solution
      load_matrices(a, &A_tile[place(16 * warp + lane % 16, p + lane / 16 * 8)]);
      //@end
      for (int half = 0; half < 2; ++half) {
        // 8 steps of four times 8 columns.
        std::uint32_t b[4];
        load_transposed(b, &B_tile[place(p + 8 * half + lane % 8, lane / 8 * 8)]);
        for (int j = 0; j < 4; ++j) multiply(sum[j], a[2 * half], a[2 * half + 1], b[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j) {
    for (int r = 0; r < 4; ++r) {
      const int row = first_row + 16 * warp + lane / 4 + r / 2 * 8;
      const int col = first_col + 8 * j + lane % 4 * 2 + r % 2;
      if (row < m && col < n) C[at(row, col, n)] = sum[j][r];
    }
  }
}

// All pointers are to device memory. m, n and k may be 0; with k = 0 every element of C is 0.
// m is 65535 * 64 at most: one grid is enough.
void launch_product(const __half* A, const __half* B, float* C, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n - 1) / cols + 1, (m - 1) / rows + 1);
  product<<<grid, 128>>>(A, B, C, m, n, k);
  CUDA_CHECK_LAUNCH();
}
