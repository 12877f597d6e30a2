// The kernels of kernels.cl again, in CUDA C++, line by line: a macro there is a template parameter
// here.
#pragma once

#include "course.hpp"

namespace twin {

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

// One thread per element of C.
__global__ void naive(const float* __restrict__ A, const float* __restrict__ B,
                      float* __restrict__ C, int m, int n, int k) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;

  float sum = 0.0F;
  for (int p = 0; p < k; ++p) sum += A[at(row, p, k)] * B[at(p, col, n)];
  C[at(row, col, n)] = sum;
}

// A block reads a sub-matrix of A and one of B together, and then uses them.
template <int sub_size>
__global__ void __launch_bounds__(sub_size* sub_size)
    sub_matrix(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
               int m, int n, int k) {
  __shared__ float A_sub[sub_size][sub_size];
  __shared__ float B_sub[sub_size][sub_size];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * sub_size + x;
  const int row = blockIdx.y * sub_size + y;

  float sum = 0.0F;
  for (int first = 0; first < k; first += sub_size) {
    A_sub[y][x] = row < m && first + x < k ? A[at(row, first + x, k)] : 0.0F;
    B_sub[y][x] = first + y < k && col < n ? B[at(first + y, col, n)] : 0.0F;
    __syncthreads();
    for (int p = 0; p < sub_size; ++p) sum += A_sub[y][p] * B_sub[p][x];
    __syncthreads();
  }
  if (row < m && col < n) C[at(row, col, n)] = sum;
}

// The same sub-matrices, but a thread has wpt elements of one column of C. It uses each element of
// B_sub that it reads wpt times.
template <int sub_size, int wpt>
__global__ void __launch_bounds__(sub_size* sub_size / wpt)
    work_per_item(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                  int m, int n, int k) {
  constexpr int rows = sub_size / wpt;  // of a block; it passes over a sub-matrix wpt times
  __shared__ float A_sub[sub_size][sub_size];
  __shared__ float B_sub[sub_size][sub_size];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * sub_size + x;
  const int first_row = blockIdx.y * sub_size;

  float sums[wpt];
  for (int w = 0; w < wpt; ++w) sums[w] = 0.0F;
  for (int first = 0; first < k; first += sub_size) {
    for (int w = 0; w < wpt; ++w) {
      const int i = y + w * rows;  // a row of the sub-matrices
      const int row = first_row + i;
      A_sub[i][x] = row < m && first + x < k ? A[at(row, first + x, k)] : 0.0F;
      B_sub[i][x] = first + i < k && col < n ? B[at(first + i, col, n)] : 0.0F;
    }
    __syncthreads();
    for (int p = 0; p < sub_size; ++p) {
      const float b = B_sub[p][x];
      for (int w = 0; w < wpt; ++w) sums[w] += A_sub[y + w * rows][p] * b;
    }
    __syncthreads();
  }
  for (int w = 0; w < wpt; ++w) {
    const int row = first_row + y + w * rows;
    if (row < m && col < n) C[at(row, col, n)] = sums[w];
  }
}

// Four neighbours of a row, 0 out of bounds. With width 4 either all four are inside or none is.
template <int width>
__device__ float4 load4(const float* M, int row, int col, int rows, int cols) {
  float4 v = {0.0F, 0.0F, 0.0F, 0.0F};
  if (row >= rows) return v;
  if constexpr (width == 4) {
    if (col < cols) v = *reinterpret_cast<const float4*>(M + at(row, col, cols));
  } else {
    if (col + 0 < cols) v.x = M[at(row, col + 0, cols)];
    if (col + 1 < cols) v.y = M[at(row, col + 1, cols)];
    if (col + 2 < cols) v.z = M[at(row, col + 2, cols)];
    if (col + 3 < cols) v.w = M[at(row, col + 3, cols)];
  }
  return v;
}

template <int width>
__device__ void store4(float* M, int row, int col, int rows, int cols, float4 v) {
  if (row >= rows) return;
  if constexpr (width == 4) {
    if (col < cols) *reinterpret_cast<float4*>(M + at(row, col, cols)) = v;
  } else {
    if (col + 0 < cols) M[at(row, col + 0, cols)] = v.x;
    if (col + 1 < cols) M[at(row, col + 1, cols)] = v.y;
    if (col + 2 < cols) M[at(row, col + 2, cols)] = v.z;
    if (col + 3 < cols) M[at(row, col + 3, cols)] = v.w;
  }
}

// A block of 16 x 16 computes 128 x 128 elements of C, 8 at a time along k. A thread has four
// squares of 4 x 4 of them, 64 rows and 64 columns apart: so neighbours read neighbours.
template <int width>
__global__ void __launch_bounds__(256)
    eight_by_eight(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                   int m, int n, int k) {
  constexpr int tile = 128;
  constexpr int step = 8;
  __shared__ float4 A_tile[step][tile / 4 + 1];  // transposed: rows of A run along it
  __shared__ float4 B_tile[step][tile / 4];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int t = y * 16 + x;
  const int first_row = blockIdx.y * tile;
  const int first_col = blockIdx.x * tile;

  float sums[8][8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) sums[i][j] = 0.0F;
  }
  for (int first = 0; first < k; first += step) {
    // 128 rows of A with 8 numbers: two threads per row. 8 rows of B with 128: 32 per row.
    const int a_row = t / 2;
    const int a_p = t % 2 * 4;
    const int b_p = t / 32;
    const int b_col = t % 32 * 4;
    const float4 a = load4<width>(A, first_row + a_row, first + a_p, m, k);
    const float4 b = load4<width>(B, first + b_p, first_col + b_col, k, n);
    reinterpret_cast<float*>(A_tile[a_p + 0])[a_row] = a.x;
    reinterpret_cast<float*>(A_tile[a_p + 1])[a_row] = a.y;
    reinterpret_cast<float*>(A_tile[a_p + 2])[a_row] = a.z;
    reinterpret_cast<float*>(A_tile[a_p + 3])[a_row] = a.w;
    B_tile[b_p][b_col / 4] = b;
    __syncthreads();
#pragma unroll
    for (int p = 0; p < step; ++p) {
      const float4 a0 = A_tile[p][y];
      const float4 a1 = A_tile[p][y + 16];
      const float4 b0 = B_tile[p][x];
      const float4 b1 = B_tile[p][x + 16];
      const float as[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float bs[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += as[i] * bs[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = first_row + i / 4 * 64 + y * 4 + i % 4;
    const float* s = sums[i];
    store4<width>(C, row, first_col + x * 4, m, n, {s[0], s[1], s[2], s[3]});
    store4<width>(C, row, first_col + 64 + x * 4, m, n, {s[4], s[5], s[6], s[7]});
  }
}

// ---------------------------------------------------------------- launchers

// How much of its on-chip memory a multiprocessor should use as shared memory, in per cent; the
// rest is level-1 cache. By default, the driver decides for each kernel.
inline int carve_out = cudaSharedmemCarveoutDefault;

// One kernel over all of C, in blocks that compute `rows` x `cols` elements each. A grid has at
// most 65535 blocks in y: a taller C takes several launches, one band of rows each.
template <class Kernel>
void launch(Kernel kernel, dim3 block, int rows, int cols, const float* A, const float* B, float* C,
            int m, int n, int k) {
  if (n == 0) return;
  CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carve_out));
  course::for_each_band(m, rows, [&](int first, int count) {
    const dim3 grid((n - 1) / cols + 1, (count - 1) / rows + 1);
    kernel<<<grid, block>>>(A + at(first, 0, k), B, C + at(first, 0, n), count, n, k);
    CUDA_CHECK_LAUNCH();
  });
}

inline void launch_naive(const float* A, const float* B, float* C, int m, int n, int k) {
  launch(naive, dim3(16, 16), 16, 16, A, B, C, m, n, k);
}

template <int sub_size>
void launch_sub_matrix(const float* A, const float* B, float* C, int m, int n, int k) {
  launch(sub_matrix<sub_size>, dim3(sub_size, sub_size), sub_size, sub_size, A, B, C, m, n, k);
}

template <int sub_size, int wpt>
void launch_work_per_item(const float* A, const float* B, float* C, int m, int n, int k) {
  launch(work_per_item<sub_size, wpt>, dim3(sub_size, sub_size / wpt), sub_size, sub_size, A, B, C,
         m, n, k);
}

inline void launch_8x8(const float* A, const float* B, float* C, int m, int n, int k) {
  const bool by_fours = n % 4 == 0 && k % 4 == 0;  // then every row begins at a multiple of 16
  if (by_fours) {
    launch(eight_by_eight<4>, dim3(16, 16), 128, 128, A, B, C, m, n, k);
  } else {
    launch(eight_by_eight<1>, dim3(16, 16), 128, 128, A, B, C, m, n, k);
  }
}

}  // namespace twin
