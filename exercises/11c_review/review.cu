// Exercise 11c: review these five kernels.
//
// README.md beside this file says what is asked. The kernels and their launch function stay as they
// are. Answer where it says TODO. Then:   ./course check 11c

#include <algorithm>

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, ld) = row * ld + col, in 64 bits

// A is m x n, row-major, its rows lda >= n elements apart; B likewise, with ldb. A block has 32 x 1
// to 32 x 8 threads, so each of its warps has one threadIdx.y.

// B(y, x) = A(y, x) + A(m - 1 - y, x): the matrix and its mirror image.
__global__ void first(const float* A, int lda, float* B, int ldb, int m, int n) {  // 1
  const int x = blockIdx.x * 32 + threadIdx.x;                                     // 2
  for (int i = threadIdx.y; i < 32; i += blockDim.y) {                             // 3
    const int y = blockIdx.y * 32 + i;                                             // 4
    if (x >= n || y >= m) return;                                                  // 5
    const float upper = A[at(y, x, lda)];                                          // 6
    const float lower = A[at(m - 1 - y, x, n)];                                    // 7
    B[at(y, x, ldb)] = upper + lower;                                              // 8
  }                                                                                // 9
}  // 10

// B(y, 0) = the sum of row y of A. Each warp has one row at a time.
__global__ void second(const float* A, int lda, float* B, int ldb, int m, int n) {           // 1
  __shared__ float part[8][32];                                                              // 2
  float* const mine = part[threadIdx.y];                                                     // 3
  for (int y = blockIdx.x * blockDim.y + threadIdx.y; y < m; y += gridDim.x * blockDim.y) {  // 4
    float sum = 0.0F;                                                                        // 5
    for (int x = threadIdx.x; x < n; x += 32) sum += A[at(y, x, lda)];                       // 6
    mine[threadIdx.x] = sum;                                                                 // 7
    __syncwarp();                                                                            // 8
    if (threadIdx.x == 0) {                                                                  // 9
      for (int k = 1; k < 32; ++k) sum += mine[k];                                           // 10
      B[at(y, 0, ldb)] = sum;                                                                // 11
    }                                                                                        // 12
    __syncwarp();                                                                            // 13
  }                                                                                          // 14
}  // 15

// B(y, x) = A(y, n - 1 - x): each row in the opposite order. Lanes load and store neighbours.
__global__ void third(const float* A, int lda, float* B, int ldb, int m, int n) {  // 1
  __shared__ float part[256];                                                      // 2
  const int threads = blockDim.x * blockDim.y;                                     // 3
  const int mine = threadIdx.y * 32 + threadIdx.x;                                 // 4
  const int other = threads - 1 - mine;                                            // 5
  const int start = blockIdx.x * threads;                                          // 6
  const int y = blockIdx.y;                                                        // 7
  if (start + mine < n) part[mine] = A[at(y, start + mine, lda)];                  // 8
  __syncwarp();                                                                    // 9
  if (start + other < n) B[at(y, n - 1 - start - other, ldb)] = part[other];       // 10
}  // 11

// B(x, y) = A(y, x), through a tile. The grid has as many blocks in x as in y.
__global__ void fourth(const float* A, int lda, float* B, int ldb, int m, int n) {  // 1
  __shared__ float tile[32][33];                                                    // 2
  const int x0 = blockIdx.x * 32;                                                   // 3
  const int y0 = blockIdx.y * 32;                                                   // 4
  const int j = threadIdx.x;                                                        // 5
  if (x0 >= n || y0 >= m) return;                                                   // 6
  for (int i = threadIdx.y; i < 32; i += blockDim.y) {                              // 7
    if (x0 + j < n && y0 + i < m) tile[i][j] = A[at(y0 + i, x0 + j, lda)];          // 8
  }                                                                                 // 9
  __syncthreads();                                                                  // 10
  for (int i = threadIdx.y; i < 32; i += blockDim.y) {                              // 11
    if (x0 + i < n && y0 + j < m) B[at(x0 + i, y0 + j, ldb)] = tile[j][i];          // 12
  }                                                                                 // 13
}  // 14

// B(x, y) = A(y, x), through a tile whose rows are padded, so that no access has a bank conflict.
__global__ void fifth(const float* A, int lda, float* B, int ldb, int m, int n) {  // 1
  __shared__ float tile[32][34];                                                   // 2
  const int x0 = blockIdx.x * 32;                                                  // 3
  const int y0 = blockIdx.y * 32;                                                  // 4
  const int lane = threadIdx.x;                                                    // 5
  for (int i = threadIdx.y; i < 32; i += blockDim.y) {                             // 6
    const bool inside = x0 + lane < n && y0 + i < m;                               // 7
    tile[i][lane] = inside ? A[at(y0 + i, x0 + lane, lda)] : 0.0F;                 // 8
  }                                                                                // 9
  __syncthreads();                                                                 // 10
  for (int i = threadIdx.y; i < 32; i += blockDim.y) {                             // 11
    const bool inside = x0 + i < n && y0 + lane < m;                               // 12
    if (inside) B[at(x0 + i, y0 + lane, ldb)] = tile[lane][i];                     // 13
  }                                                                                // 14
}  // 15

// Launches a kernel, 1 to 5, in blocks of 32 x block_rows threads. All pointers are to device
// memory. m and n are at least 1.
void launch_review(int kernel, const float* A, int lda, float* B, int ldb, int m, int n,
                   int block_rows) {
  const dim3 block(32, block_rows);
  const int threads = 32 * block_rows;
  const int across = (n - 1) / 32 + 1;
  const int down = (m - 1) / 32 + 1;
  const int most = std::max(across, down);
  if (kernel == 1) first<<<dim3(across, down), block>>>(A, lda, B, ldb, m, n);
  if (kernel == 2) second<<<2, block>>>(A, lda, B, ldb, m, n);
  if (kernel == 3) third<<<dim3((n - 1) / threads + 1, m), block>>>(A, lda, B, ldb, m, n);
  if (kernel == 4) fourth<<<dim3(most, most), block>>>(A, lda, B, ldb, m, n);
  if (kernel == 5) fifth<<<dim3(across, down), block>>>(A, lda, B, ldb, m, n);
  CUDA_CHECK_LAUNCH();
}

// From here on you write: the number of the wrong line of each kernel; 0, if it is right.

int wrong_line_of_first() {
  return -1;  // TODO (1 number)
}

int wrong_line_of_second() {
  return -1;  // TODO (1 number)
}

int wrong_line_of_third() {
  return -1;  // TODO (1 number)
}

int wrong_line_of_fourth() {
  return -1;  // TODO (1 number)
}

int wrong_line_of_fifth() {
  return -1;  // TODO (1 number)
}
