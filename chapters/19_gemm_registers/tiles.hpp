// Chapter 19: the parts of its later kernels. Which outputs a thread has, how A's tile is stored in
// shared memory, how the tiles get there, and how a thread uses them.
#pragma once

#include "course.hpp"

using course::at;

constexpr int depth = 16;  // steps of k that a tile holds

// A thread's outputs come in squares of 4 x 4: square (g, h) begins `apart` * g rows below and
// `apart` * h columns to the right of the first one.

struct Together {  // a thread's squares are adjacent, and the threads in rows of 16
  static constexpr int apart = 4;
  static __device__ int row() { return threadIdx.x / 16 * 8; }
  static __device__ int col() { return threadIdx.x % 16 * 8; }
};

// With one square per thread a block has 64 x 64. A warp has 16 x 32 of them: 4 x 8 lanes.
template <class Lanes>
struct WarpTiles {
  static constexpr int apart = 64;
  static __device__ int row() { return threadIdx.x / 64 * 16 + Lanes::y(threadIdx.x % 32) * 4; }
  static __device__ int col() { return threadIdx.x / 32 % 2 * 32 + Lanes::x(threadIdx.x % 32) * 4; }
};

struct InRows {  // lanes 0 to 7 in the first row
  static __device__ int y(int lane) { return lane / 8; }
  static __device__ int x(int lane) { return lane % 8; }
};
struct InPairs {  // lanes 0 and 1 side by side, 2 and 3 below them: bits 1 and 4 of a lane are y
  static __device__ int y(int lane) { return lane / 2 % 2 + lane / 16 * 2; }
  static __device__ int x(int lane) { return lane % 2 + lane / 4 % 4 * 2; }
};

// Where A(row, p) of a tile is in shared memory. In all layouts neighbouring rows are neighbours in
// groups of four, so that one load fetches four.

struct Plain {
  static constexpr int padding = 0;
  static __device__ int row(int row, int) { return row; }
};
struct Padded {  // the next step of k begins 4 banks on
  static constexpr int padding = 4;
  static __device__ int row(int row, int) { return row; }
};
struct Swizzled {  // every four steps of k another order of the rows, in groups of 8
  static constexpr int padding = 0;
  static __device__ int row(int row, int p) { return row ^ p / 4 * 8; }
};

// Four neighbours of a row, of which `there` are inside the matrix. `wide`: always none or all, and
// at a multiple of 16 bytes.
template <bool wide>
__device__ float4 four(const float* from, int there) {
  float4 v = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
  if constexpr (wide) {
    if (there > 0) v = *reinterpret_cast<const float4*>(from);
  } else {
    if (there > 0) v.x = from[0];
    if (there > 1) v.y = from[1];
    if (there > 2) v.z = from[2];
    if (there > 3) v.w = from[3];
  }
  return v;
}

// The block's tiles in flight: `rows` x depth of A and depth x `cols` of B, by 256 threads.
template <int rows, int cols, class Layout, bool wide>
struct Tiles {
  static constexpr int width = rows + Layout::padding;
  float4 a[rows / 64];
  float4 b[cols / 64];

  // Four threads per row of A, sixteen per row of B. Below A's last row, that row is read again:
  // the result is never written.
  __device__ void load(const float* A, const float* B, int first_row, int first_col, int first,
                       int m, int n, int k) {
    const int p = first + threadIdx.x % 4 * 4;
#pragma unroll
    for (int i = 0; i < rows / 64; ++i) {
      const int row = min(first_row + 64 * i + static_cast<int>(threadIdx.x / 4), m - 1);
      a[i] = four<wide>(A + at(row, p, k), k - p);
    }
    const int q = first + threadIdx.x / 16;
#pragma unroll
    for (int i = 0; i < cols / 64; ++i) {
      const int col = first_col + 64 * i + threadIdx.x % 16 * 4;
      b[i] = four<wide>(B + at(q, col, n), q < k ? n - col : 0);
    }
  }

  // A's four neighbours of a row go to four rows of its tile, which is transposed.
  __device__ void store(float (&A_tile)[depth][width], float (&B_tile)[depth][cols]) const {
    const int p = threadIdx.x % 4 * 4;
    const int row = Layout::row(threadIdx.x / 4, p);
#pragma unroll
    for (int i = 0; i < rows / 64; ++i) {
      A_tile[p][row + 64 * i] = a[i].x;
      A_tile[p + 1][row + 64 * i] = a[i].y;
      A_tile[p + 2][row + 64 * i] = a[i].z;
      A_tile[p + 3][row + 64 * i] = a[i].w;
    }
#pragma unroll
    for (int i = 0; i < cols / 64; ++i) {
      const int col = 64 * i + threadIdx.x % 16 * 4;
      *reinterpret_cast<float4*>(&B_tile[threadIdx.x / 16][col]) = b[i];
    }
  }
};

// A thread's R x C sums plus what the tiles add to them.
template <class Map, class Layout, int R, int C, int width, int cols>
__device__ void multiply(float (&sum)[R][C], const float (&A_tile)[depth][width],
                         const float (&B_tile)[depth][cols]) {
#pragma unroll
  for (int p = 0; p < depth; ++p) {
    float4 a[R / 4];
    float4 b[C / 4];
#pragma unroll
    for (int g = 0; g < R / 4; ++g) {
      const int row = Layout::row(Map::row(), p) + g * Map::apart;
      a[g] = *reinterpret_cast<const float4*>(&A_tile[p][row]);
    }
#pragma unroll
    for (int h = 0; h < C / 4; ++h) {
      b[h] = *reinterpret_cast<const float4*>(&B_tile[p][Map::col() + h * Map::apart]);
    }
    // Four columns down, the next four up, back and forth in each row: from one multiply-add to the
    // next only one of a and b changes, and the other is already in a register.
#pragma unroll
    for (int h = 0; h < C / 4; ++h) {
#pragma unroll
      for (int down = 0; down < R; ++down) {
        const int i = h % 2 == 0 ? down : R - 1 - down;
#pragma unroll
        for (int right = 0; right < 4; ++right) {
          const int j = down % 2 == 0 ? right : 3 - right;
          sum[i][4 * h + j] += (&a[i / 4].x)[i % 4] * (&b[h].x)[j];
        }
      }
    }
  }
}

// Each element separately, and only inside the matrix. This happens once, after all of k.
template <class Map, int R, int C>
__device__ void write_sums(const float (&sum)[R][C], float* to, int first_row, int first_col, int m,
                           int n) {
#pragma unroll
  for (int i = 0; i < R; ++i) {
#pragma unroll
    for (int j = 0; j < C; ++j) {
      const int row = first_row + Map::row() + i / 4 * Map::apart + i % 4;
      const int col = first_col + Map::col() + j / 4 * Map::apart + j % 4;
      if (row < m && col < n) to[at(row, col, n)] = sum[i][j];
    }
  }
}
