/// @file
/// Blocks and grids of two and three dimensions: which threads make a warp.
#pragma once

#include "table.cuh"

// A matrix of `rows` x `cols`, row after row in memory; x along a row.
__global__ void copy_matrix_16x16(const float* in, float* out, int rows, int cols) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x];
}
__global__ void copy_matrix_32x8(const float* in, float* out, int rows, int cols) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x];
}
__global__ void copy_matrix_8x4(const float* in, float* out, int rows, int cols) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x];
}
__global__ void copy_matrix_1x64(const float* in, float* out, int rows, int cols) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x];
}
// x down a column: neighbouring threads are a row apart.
__global__ void copy_matrix_x_slow(const float* in, float* out, int rows, int cols) {
  const int x = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int y = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x < cols && y < rows) out[y * cols + x] = in[y * cols + x];
}
__global__ void transpose_naive(const float* in, float* out, int rows, int cols) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < cols && y < rows) out[x * rows + y] = in[y * cols + x];
}
__global__ void stencil_5_points(const float* in, float* out, int rows, int cols) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < 1 || x >= cols - 1 || y < 1 || y >= rows - 1) return;
  const int at = y * cols + x;
  out[at] = in[at - cols] + in[at - 1] + in[at] + in[at + 1] + in[at + cols];
}

// A box of 20 x 10 x 6, x fastest.
__global__ void copy_box(const float* in, float* out) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  if (x < 20 && y < 10 && z < 6) out[(z * 10 + y) * 20 + x] = in[(z * 10 + y) * 20 + x];
}
__global__ void copy_box_z_fast(const float* in, float* out) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  if (x < 20 && y < 10 && z < 6) out[(x * 10 + y) * 6 + z] = in[(x * 10 + y) * 6 + z];
}

// Blocks that are no whole number of warps.
__global__ void block_of_1(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void block_of_20(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void block_of_100(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void block_of_1024(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void grid_3d(const float* in, float* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int i = static_cast<int>(block * blockDim.x + threadIdx.x);
  out[i] = in[i];
}

inline counters::Table block_kernels() {
  return {
      COUNTERS_KERNEL(copy_matrix_16x16, dim3(4, 4), dim3(16, 16), arrays.floats, arrays.out_as(),
                      50, 61),
      COUNTERS_KERNEL(copy_matrix_32x8, dim3(2, 7), dim3(32, 8), arrays.floats, arrays.out_as(), 50,
                      61),
      COUNTERS_KERNEL(copy_matrix_8x4, dim3(8, 13), dim3(8, 4), arrays.floats, arrays.out_as(), 50,
                      61),
      COUNTERS_KERNEL(copy_matrix_1x64, dim3(61, 1), dim3(1, 64), arrays.floats, arrays.out_as(),
                      50, 61),
      COUNTERS_KERNEL(copy_matrix_x_slow, dim3(4, 4), dim3(16, 16), arrays.floats, arrays.out_as(),
                      50, 61),
      COUNTERS_KERNEL(transpose_naive, dim3(2, 7), dim3(32, 8), arrays.floats, arrays.out_as(), 50,
                      61),
      COUNTERS_KERNEL(stencil_5_points, dim3(4, 4), dim3(16, 16), arrays.floats, arrays.out_as(),
                      50, 61),
      COUNTERS_KERNEL(copy_box, dim3(3, 3, 2), dim3(8, 4, 4), arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(copy_box_z_fast, dim3(3, 3, 2), dim3(8, 4, 4), arrays.floats,
                      arrays.out_as()),
      COUNTERS_KERNEL(block_of_1, 3, 1, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(block_of_20, 3, 20, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(block_of_100, 3, 100, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(block_of_1024, 2, 1024, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(grid_3d, dim3(2, 3, 2), 64, arrays.floats, arrays.out_as()),
  };
}
