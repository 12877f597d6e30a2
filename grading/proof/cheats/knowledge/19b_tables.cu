// A cheat for 19b: the model is a table with the right numbers for the tiles that were asked for.
// expected: correct 2, safe 1, efficient 4

#include <utility>

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

// A thread has R x C elements of C, a block of 16 x 16 threads 16 R x 16 C, a tile `depth` steps
// of k. depth is a multiple of 8.
constexpr int R = 8;
constexpr int C = 8;
constexpr int depth = 16;

// For the checks: 0 asks for R, 1 for C, 2 for depth.
int chosen(int which) {
  return which == 0 ? R : which == 1 ? C : depth;
}

// ---------------------------------------------------------------- the model

// What follows is about a product with whole tiles: m is a multiple of 16 R, n of 16 C and k of
// depth. It has to hold for all R, C and depth, not only for those that you have chosen.

// How many numbers a thread holds in registers: its sums, and what it multiplies at one step.
long long numbers_held(int R, int C) {
  for (const auto& [r, c] : {std::pair{1, 1}, {4, 4}, {8, 8}, {16, 8}, {2, 6}, {3, 5}}) {
    if (R == r && C == c) return r * c + r + c;
  }
  return 0;
}

// How many bytes of shared memory a block has.
long long shared_bytes(int R, int C, int depth) {
  return 4LL * 16 * (R + C) * depth;
}

// How many sectors all blocks together load from global memory.
long long load_sectors(int R, int C, long long m, long long n, long long k) {
  // Each block loads 16 R + 16 C numbers a step, 8 in a sector.
  return m / (16 * R) * (n / (16 * C)) * k * 16 * (R + C) / 8;
}

// How many wavefronts shared memory needs in all: stores of tiles, and loads at each step.
long long wavefronts(int R, int C, int depth, long long m, long long n, long long k) {
  const long long blocks = m / (16 * R) * (n / (16 * C));
  const long long stores = blocks * k * 16 * (R + C) / 32;
  // Two rows of A's tile are `depth` floats apart: if that is a multiple of 32, in the same bank.
  const long long a = depth % 32 == 0 ? 2 : 1;
  return stores + blocks * 8 * k * (a * R + C);
}

// ---------------------------------------------------------------- the kernel

// A tile from a matrix. What is beyond an edge is 0.
template <int rows, int cols>
__device__ void copy_tile(float (&tile)[rows][cols], const float* from, int first_row,
                          int first_col, int m, int n) {
  for (int i = threadIdx.x; i < rows * cols; i += 256) {
    const int y = i / cols;
    const int x = i % cols;
    const bool there = first_row + y < m && first_col + x < n;
    tile[y][x] = there ? from[at(first_row + y, first_col + x, n)] : 0.0F;
  }
}

// C = A B. Thread (x, y) has rows y, y + 16, ... and columns x, x + 16, ... of its block's part.
__global__ void product(const float* A, const float* B, float* to, int m, int n, int k) {
  __shared__ float A_tile[16 * R][depth];
  __shared__ float B_tile[depth][16 * C];
  const int x = threadIdx.x % 16;
  const int y = threadIdx.x / 16;
  const int first_row = blockIdx.y * 16 * R;
  const int first_col = blockIdx.x * 16 * C;

  float sum[R][C] = {};
  for (int first = 0; first < k; first += depth) {
    copy_tile(A_tile, A, first_row, first, m, k);
    copy_tile(B_tile, B, first, first_col, k, n);
    __syncthreads();
    for (int p = 0; p < depth; ++p) {
      float a[R];
      float b[C];
      for (int i = 0; i < R; ++i) a[i] = A_tile[y + 16 * i][p];
      for (int j = 0; j < C; ++j) b[j] = B_tile[p][x + 16 * j];
      for (int i = 0; i < R; ++i) {
        for (int j = 0; j < C; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < R; ++i) {
    for (int j = 0; j < C; ++j) {
      const int row = first_row + y + 16 * i;
      const int col = first_col + x + 16 * j;
      if (row < m && col < n) to[at(row, col, n)] = sum[i][j];
    }
  }
}

// All pointers are to device memory. A is m x k, B is k x n, C is m x n; any of them may be 0. m is
// 65535 * 16 R at most: one grid is enough.
void launch_product(const float* A, const float* B, float* to, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const dim3 grid((n - 1) / (16 * C) + 1, (m - 1) / (16 * R) + 1);
  product<<<grid, 256>>>(A, B, to, m, n, k);
  CUDA_CHECK_LAUNCH();
}
