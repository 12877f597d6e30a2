/// @file
/// Floats at fixed distances: what a warp's 32 addresses have to do with sectors.
#pragma once

#include "table.cuh"

// Neighbouring threads load elements so far apart; 0: all the same one.
__global__ void load_stride_0(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[0] + static_cast<float>(i);
}
__global__ void load_stride_1(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void load_stride_2(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[2 * i];
}
__global__ void load_stride_3(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[3 * i];
}
__global__ void load_stride_4(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[4 * i];
}
__global__ void load_stride_7(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[7 * i];
}
__global__ void load_stride_8(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[8 * i];
}
__global__ void load_stride_33(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[33 * i];
}
__global__ void load_stride_1000(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[1000 * i];
}
__global__ void load_stride_given(const float* in, float* out, int stride) {
  const int i = global_index();
  out[i] = in[stride * i];
}

// The same for stores.
__global__ void store_stride_2(const float* in, float* out) {
  const int i = global_index();
  out[2 * i] = in[i];
}
__global__ void store_stride_3(const float* in, float* out) {
  const int i = global_index();
  out[3 * i] = in[i];
}
__global__ void store_stride_8(const float* in, float* out) {
  const int i = global_index();
  out[8 * i] = in[i];
}
__global__ void store_stride_1000(const float* in, float* out) {
  const int i = global_index();
  out[1000 * i] = in[i];
}
__global__ void store_stride_given(const float* in, float* out, int stride) {
  const int i = global_index();
  out[stride * i] = in[i];
}

// The warp's first element does not start a sector, or does.
__global__ void load_offset_1(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i + 1];
}
__global__ void load_offset_4(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i + 4];
}
__global__ void load_offset_8(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i + 8];
}
__global__ void load_offset_31(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i + 31];
}
__global__ void store_offset_1(const float* in, float* out) {
  const int i = global_index();
  out[i + 1] = in[i];
}
__global__ void store_offset_8(const float* in, float* out) {
  const int i = global_index();
  out[i + 8] = in[i];
}
__global__ void store_offset_given(const float* in, float* out, int offset) {
  const int i = global_index();
  out[i + offset] = in[i];
}

// Not in order: the same sectors, if the same elements are wanted.
__global__ void load_reversed(const float* in, float* out, int count) {
  const int i = global_index();
  out[i] = in[count - 1 - i];
}
__global__ void load_lanes_crossed(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i ^ 5];
}
__global__ void load_pairs(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i / 2] + static_cast<float>(i);
}
__global__ void load_every_warp_the_same(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[i % 32] + static_cast<float>(i);
}

// Indices that come from memory, or from arithmetic.
__global__ void gather_permutation(const float* in, const int* index, float* out) {
  const int i = global_index();
  out[i] = in[index[i]];
}
__global__ void gather_random(const float* in, const int* index, float* out) {
  const int i = global_index();
  out[i] = in[index[i]];
}
__global__ void gather_hash(const float* in, float* out) {
  const int i = global_index();
  out[i] = in[(static_cast<unsigned>(i) * 2654435761U) >> 15];
}
__global__ void gather_twice(const float* in, const int* index, float* out) {
  const int i = global_index();
  out[i] = in[index[index[i]]];
}
__global__ void scatter_permutation(const float* in, const int* index, float* out) {
  const int i = global_index();
  out[index[i]] = in[i];
}

inline counters::Table stride_kernels() {
  return {
      COUNTERS_KERNEL(load_stride_0, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_stride_1, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_stride_2, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_stride_3, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_stride_4, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_stride_7, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_stride_8, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_stride_33, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_stride_1000, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_stride_given, 4, 128, arrays.floats, arrays.out_as(), 5),
      COUNTERS_KERNEL(store_stride_2, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(store_stride_3, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(store_stride_8, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(store_stride_1000, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(store_stride_given, 4, 128, arrays.floats, arrays.out_as(), 6),
      COUNTERS_KERNEL(load_offset_1, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_offset_4, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_offset_8, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_offset_31, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(store_offset_1, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(store_offset_8, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(store_offset_given, 4, 128, arrays.floats, arrays.out_as(), 3),
      COUNTERS_KERNEL(load_reversed, 4, 128, arrays.floats, arrays.out_as(), 512),
      COUNTERS_KERNEL(load_lanes_crossed, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_pairs, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(load_every_warp_the_same, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(gather_permutation, 4, 128, arrays.floats, arrays.permutation,
                      arrays.out_as()),
      COUNTERS_KERNEL(gather_random, 4, 128, arrays.floats, arrays.random, arrays.out_as()),
      COUNTERS_KERNEL(gather_hash, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(gather_twice, 4, 128, arrays.floats, arrays.permutation, arrays.out_as()),
      COUNTERS_KERNEL(scatter_permutation, 4, 128, arrays.floats, arrays.permutation,
                      arrays.out_as()),
  };
}
