/// @file
/// Shared memory: which addresses of a warp are in one bank. Every kernel stores, waits at a
/// barrier, and loads; the distances of the two may differ.
#pragma once

#include "shared_copy.cuh"
#include "table.cuh"

COUNTERS_SHARED_COPY(shared_unit_stride, float, 128, t, tile[t ^ 1])
COUNTERS_SHARED_COPY(shared_reversed, float, 128, t, tile[127 - t])
COUNTERS_SHARED_COPY(shared_stride_2, float, 256, 2 * t, tile[2 * (t ^ 1)])
COUNTERS_SHARED_COPY(shared_stride_3, float, 384, 3 * t, tile[3 * (t ^ 1)])
COUNTERS_SHARED_COPY(shared_stride_4, float, 512, 4 * t, tile[4 * (t ^ 1)])
COUNTERS_SHARED_COPY(shared_stride_8, float, 1024, 8 * t, tile[8 * (t ^ 1)])
COUNTERS_SHARED_COPY(shared_stride_16, float, 2048, 16 * t, tile[16 * (t ^ 1)])
COUNTERS_SHARED_COPY(shared_stride_32, float, 4096, 32 * t, tile[32 * (t ^ 1)])
COUNTERS_SHARED_COPY(shared_stride_33, float, 33 * 128, 33 * t, tile[33 * (t ^ 1)])
__global__ void shared_stride_given(const float* in, float* out, int stride) {
  __shared__ float tile[2048];
  const int t = static_cast<int>(threadIdx.x);
  tile[stride * t] = in[global_index()];
  __syncthreads();
  out[global_index()] = tile[stride * (t ^ 1)];
}

// Lanes that want the same word.
COUNTERS_SHARED_COPY(shared_broadcast, float, 128, t, tile[77] + static_cast<float>(t))
COUNTERS_SHARED_COPY(shared_pairs, float, 128, t, tile[t / 2] + static_cast<float>(t))
COUNTERS_SHARED_COPY(shared_two_words_of_a_bank, float, 128, t,
                     tile[t % 2 * 32] + static_cast<float>(t))
__global__ void shared_random(const float* in, const int* random, float* out) {
  __shared__ float tile[128];
  const int t = static_cast<int>(threadIdx.x);
  tile[t] = in[global_index()];
  __syncthreads();
  out[global_index()] = tile[random[global_index()] % 128];
}

// Columns of a tile. The block is 32 x 4; each thread stores and loads 8 rows.
__global__ void shared_rows_of_32(const float* in, float* out) {
  __shared__ float tile[32][32];
  const int x = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) tile[y][x] = in[y * 32 + x];
  __syncthreads();
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) out[y * 32 + x] = tile[31 - y][x];
}
__global__ void shared_columns_of_32(const float* in, float* out) {
  __shared__ float tile[32][32];
  const int x = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) tile[y][x] = in[y * 32 + x];
  __syncthreads();
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) out[y * 32 + x] = tile[x][y];
}
__global__ void shared_columns_of_33(const float* in, float* out) {
  __shared__ float tile[32][33];
  const int x = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) tile[y][x] = in[y * 32 + x];
  __syncthreads();
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) out[y * 32 + x] = tile[x][y];
}
__global__ void shared_columns_stored(const float* in, float* out) {
  __shared__ float tile[32][32];
  const int x = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) tile[x][y] = in[y * 32 + x];
  __syncthreads();
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) out[y * 32 + x] = tile[y][x];
}

// Warps of which not every lane takes part.
__global__ void shared_half_warp(const float* in, float* out) {
  __shared__ float tile[256];
  const int t = static_cast<int>(threadIdx.x);
  tile[t] = in[global_index()];
  __syncthreads();
  if (t % 32 < 16) out[global_index()] = tile[t / 32 * 32 + t % 32 * 2];
}
__global__ void shared_odd_lanes(const float* in, float* out) {
  __shared__ float tile[256];
  const int t = static_cast<int>(threadIdx.x);
  if (t % 2 == 1) tile[2 * t] = in[global_index()];
  __syncthreads();
  if (t % 2 == 1) out[global_index()] = tile[2 * (t ^ 2)];
}
__global__ void shared_one_warp_of_four(const float* in, float* out) {
  __shared__ float tile[32];
  const int t = static_cast<int>(threadIdx.x);
  if (t < 32) tile[t] = in[global_index()];
  __syncthreads();
  out[global_index()] = tile[t % 32];
}
COUNTERS_SHARED_COPY(shared_last_warp_half_there, float, 176, 2 * t, tile[2 * (79 - t)])

// How much of it there is, only the launch says.
__global__ void shared_dynamic(const float* in, float* out) {
  extern __shared__ float words[];
  const int t = static_cast<int>(threadIdx.x);
  words[t] = in[global_index()];
  __syncthreads();
  out[global_index()] = words[t ^ 33];
}
__global__ void shared_dynamic_two_arrays(const float* in, float* out) {
  extern __shared__ float both[];
  float* const first = both;
  float* const second = both + blockDim.x;
  const int t = static_cast<int>(threadIdx.x);
  first[t] = in[global_index()];
  second[t] = in[global_index() + 512];
  __syncthreads();
  out[global_index()] = first[t ^ 1] * second[t ^ 2];
}

inline counters::Table shared_kernels() {
  return {
      COUNTERS_KERNEL(shared_unit_stride, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_reversed, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_stride_2, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_stride_3, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_stride_4, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_stride_8, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_stride_16, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_stride_32, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_stride_33, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_stride_given, 4, 128, arrays.floats, arrays.out_as(), 6),
      COUNTERS_KERNEL(shared_broadcast, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_pairs, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_two_words_of_a_bank, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_random, 4, 128, arrays.floats, arrays.random, arrays.out_as()),
      COUNTERS_KERNEL(shared_rows_of_32, 1, dim3(32, 4), arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_columns_of_32, 1, dim3(32, 4), arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_columns_of_33, 1, dim3(32, 4), arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_columns_stored, 1, dim3(32, 4), arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_half_warp, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_odd_lanes, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_one_warp_of_four, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_last_warp_half_there, 3, 80, arrays.floats, arrays.out_as()),
      COUNTERS_SHARED_KERNEL(shared_dynamic, 4, 128, 512, arrays.floats, arrays.out_as()),
      COUNTERS_SHARED_KERNEL(shared_dynamic_two_arrays, 4, 128, 1024, arrays.floats,
                             arrays.out_as()),
  };
}
