/// @file
/// Algorithms in shared memory, as a learner writes them.
#pragma once

#include "table.cuh"

// A tile of 32 x 32 by a block of 32 x 8.
__global__ void transpose_shared(const float* in, float* out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void transpose_padded(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

// The sum of a block's 128 elements. The active threads are ever further apart.
__global__ void reduction_divergent(const float* in, float* out) {
  __shared__ float partial[128];
  int t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    if (t % (2 * step) == 0) partial[t] += partial[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}
// The active threads are the first ones, but their elements are ever further apart.
__global__ void reduction_with_conflicts(const float* in, float* out) {
  __shared__ float partial[128];
  int t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    int at = 2 * step * t;
    if (at < 128) partial[at] += partial[at + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}
// The active threads are the first ones, and so are their elements.
__global__ void reduction_sequential(const float* in, float* out) {
  __shared__ float partial[128];
  int t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}
// Within a warp without shared memory.
__global__ void reduction_by_shuffles(const float* in, float* out) {
  __shared__ float partial[4];
  int t = threadIdx.x;
  float sum = in[blockIdx.x * blockDim.x + t];
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xFFFFFFFF, sum, distance);
  }
  if (t % 32 == 0) partial[t / 32] = sum;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
}

// Running sums of a block, from one of two buffers to the other (Hillis and Steele).
__global__ void running_sums(const float* in, float* out) {
  __shared__ float sums[2][128];
  int t = threadIdx.x;
  int from = 0;
  sums[0][t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int distance = 1; distance < 128; distance *= 2) {
    float value = sums[from][t];
    if (t >= distance) value += sums[from][t - distance];
    sums[1 - from][t] = value;
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sums[from][t];
}

// The sum of five neighbours, with two more at either end of the block.
__global__ void stencil_with_halo(const float* in, float* out) {
  __shared__ float tile[132];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  tile[t + 2] = in[i + 2];
  if (t < 2) {
    tile[t] = in[i];
    tile[t + 130] = in[i + 130];
  }
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 5; ++k) sum += tile[t + k];
  out[i] = sum;
}

// A histogram without atomics: each thread counts for itself, in a column of its own.
__global__ void histogram_of_threads(const int* in, int* out) {
  __shared__ int counts[8][64];
  int t = threadIdx.x;
  for (int bin = 0; bin < 8; ++bin) counts[bin][t] = 0;
  for (int k = 0; k < 10; ++k) counts[in[(blockIdx.x * 10 + k) * 64 + t] % 8][t]++;
  __syncthreads();
  if (t < 8) {
    int sum = 0;
    for (int k = 0; k < 64; ++k) sum += counts[t][k];
    out[blockIdx.x * 8 + t] = sum;
  }
}

// Each thread adds up a row of a tile: 32 floats, or 32 of 33.
__global__ void rows_added_up(const float* in, float* out) {
  __shared__ float tile[32][32];
  int t = threadIdx.x;
  for (int row = 0; row < 32; ++row) tile[row][t] = in[row * 32 + t];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) sum += tile[t][k];
  out[t] = sum;
}
__global__ void padded_rows_added_up(const float* in, float* out) {
  __shared__ float tile[32][33];
  int t = threadIdx.x;
  for (int row = 0; row < 32; ++row) tile[row][t] = in[row * 32 + t];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) sum += tile[t][k];
  out[t] = sum;
}
__global__ void rows_added_up_rolled(const float* in, float* out) {
  __shared__ float tile[32][32];
  int t = threadIdx.x;
#pragma unroll 1
  for (int row = 0; row < 32; ++row) tile[row][t] = in[row * 32 + t];
  __syncthreads();
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < 32; ++k) sum += tile[t][k];
  out[t] = sum;
}

// C = A B in tiles of 16 x 16, n a multiple of 16.
__global__ void matrix_product_tiled(const float* A, const float* B, float* C, int n) {
  __shared__ float a[16][16];
  __shared__ float b[16][16];
  int x = threadIdx.x;
  int y = threadIdx.y;
  int row = blockIdx.y * 16 + y;
  int col = blockIdx.x * 16 + x;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 16) {
    a[y][x] = A[row * n + first + x];
    b[y][x] = B[(first + y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

// A matrix times a vector of which a tile is shared.
__global__ void matrix_vector_shared(const float* A, const float* x, float* y, int m, int n) {
  __shared__ float part[64];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 64) {
    part[threadIdx.x] = x[first + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j) sum += A[(first + j) * m + row] * part[j];
    __syncthreads();
  }
  y[row] = sum;
}

inline counters::Table shared_algorithm_kernels() {
  return {
      COUNTERS_KERNEL(transpose_shared, dim3(3, 3), dim3(32, 8), arrays.floats, arrays.out_as(),
                      96),
      COUNTERS_KERNEL(transpose_padded, dim3(3, 3), dim3(32, 8), arrays.floats, arrays.out_as(),
                      96),
      COUNTERS_KERNEL(reduction_divergent, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(reduction_with_conflicts, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(reduction_sequential, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(reduction_by_shuffles, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(running_sums, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(stencil_with_halo, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(histogram_of_threads, 3, 64, arrays.random, arrays.out_as<int>()),
      COUNTERS_KERNEL(rows_added_up, 1, 32, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(padded_rows_added_up, 1, 32, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(rows_added_up_rolled, 1, 32, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(matrix_product_tiled, dim3(3, 3), dim3(16, 16), arrays.floats,
                      arrays.floats_as<float>() + 10000, arrays.out_as(), 48),
      COUNTERS_KERNEL(matrix_vector_shared, 4, 64, arrays.floats,
                      arrays.floats_as<float>() + 100000, arrays.out_as(), 256, 128),
  };
}
