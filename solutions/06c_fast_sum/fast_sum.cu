//@stub
//@ // Exercise 06c: make it fast. The sums of the columns of a row-major matrix.
//@ //
//@ // README.md beside this file says what is asked. Everything here is right, and slow.
//@ // TODO (all of it): change what you like but the launch function's name and parameters. Then:
//@ //   ./course check 06c
//@solution
// Exercise 06c: make it fast. The sums of the columns of a row-major matrix. The model solution.
//
// The lanes of a warp have neighbouring columns, so a request touches neighbouring sectors. The
// rows are split among warps and blocks: a tall matrix has few columns, and one thread for each
// would leave the GPU empty. What a block has added up meets in shared memory, so that each of its
// columns takes one atomic addition.
//@end

#include "check.hpp"

//@stub
//@ constexpr int block = 128;
//@
//@ // s(j) = the sum of A(i, j) over all rows i. One thread per row, which adds its elements to s. A is
//@ // m x n, row-major, its rows lda >= n elements apart: A(i, j) is A[i * lda + j]. s is 0 before.
//@ __global__ void column_sums(const float* A, int lda, float* s, int m, int n) {
//@   const int i = blockIdx.x * blockDim.x + threadIdx.x;
//@   if (i >= m) return;
//@   const float* const row = A + static_cast<size_t>(i) * lda;
//@   for (int j = 0; j < n; ++j) atomicAdd(&s[j], row[j]);
//@ }
//@solution
constexpr int warp = 32;            // columns of a block: one a lane
constexpr int warps = 8;            // of a block: they take turns at the rows
constexpr int rows_of_a_warp = 32;  // roughly: enough for what a warp does at its end to pay
constexpr int most_blocks = 65535;  // of a grid in y

// s(j) = the sum of A(i, j) over all rows i. s is 0 before.
// A is m x n, row-major, its rows lda >= n elements apart: A(i, j) is A[i * lda + j]. All warps of
// all blocks with the same blockIdx.x take turns at the rows of 32 columns.
__global__ void column_sums(const float* A, int lda, float* s, int m, int n) {
  __shared__ float partial[warps][warp];
  const int lane = threadIdx.x;
  const int this_warp = threadIdx.y;
  const int j = blockIdx.x * warp + lane;
  float sum = 0.0F;
  if (j < n) {
    const int stride = gridDim.y * warps;
#pragma unroll 4
    for (int i = blockIdx.y * warps + this_warp; i < m; i += stride) {
      sum += A[static_cast<size_t>(i) * lda + j];
    }
  }
  partial[this_warp][lane] = sum;
  __syncthreads();
  if (this_warp != 0 || j >= n) return;
  for (int w = 1; w < warps; ++w) sum += partial[w][lane];
  atomicAdd(&s[j], sum);  // other blocks add to the same element
}
//@end

// All pointers are to device memory. m may be 0, and so may n: without rows each sum is 0.
void launch_fast_sum(const float* A, int lda, float* s, int m, int n) {
  if (n == 0) return;
  CUDA_CHECK(cudaMemset(s, 0, n * sizeof(float)));  // what is added to
  if (m == 0) return;
  //@stub
  //@ column_sums<<<(m - 1) / block + 1, block>>>(A, lda, s, m, n);
  //@solution
  const int bands = (m - 1) / (warps * rows_of_a_warp) + 1;
  const dim3 grid((n - 1) / warp + 1, bands < most_blocks ? bands : most_blocks);
  column_sums<<<grid, dim3(warp, warps)>>>(A, lda, s, m, n);
  //@end
  CUDA_CHECK_LAUNCH();
}
