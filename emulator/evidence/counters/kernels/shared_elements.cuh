/// @file
/// Elements in shared memory that are not words of 4 bytes: a warp that asks for 8 or 16 bytes per
/// lane is served in two or four groups of lanes.
#pragma once

#include "shared_copy.cuh"
#include "table.cuh"

COUNTERS_SHARED_COPY(shared_float2, float2, 128, t, tile[t ^ 1])
COUNTERS_SHARED_COPY(shared_float2_pairs, float2, 128, t, tile[t / 2])
COUNTERS_SHARED_COPY(shared_float2_stride_2, float2, 256, 2 * t, tile[2 * (t ^ 1)])
COUNTERS_SHARED_COPY(shared_float2_stride_16, float2, 2048, 16 * t, tile[16 * (t ^ 1)])
__global__ void shared_float2_half_warp(const float2* in, float2* out) {
  __shared__ float2 tile[128];
  const int t = static_cast<int>(threadIdx.x);
  if (t % 32 < 16) tile[t] = in[global_index()];
  __syncthreads();
  if (t % 32 < 16) out[global_index()] = tile[t ^ 1];
}
COUNTERS_SHARED_COPY(shared_float3, float3, 128, t, tile[t ^ 1])
COUNTERS_SHARED_COPY(shared_float4, float4, 128, t, tile[t ^ 1])
COUNTERS_SHARED_COPY(shared_float4_pairs, float4, 128, t, tile[t / 2])
COUNTERS_SHARED_COPY(shared_float4_broadcast, float4, 128, t, tile[5])
COUNTERS_SHARED_COPY(shared_float4_stride_2, float4, 256, 2 * t, tile[2 * (t ^ 1)])
COUNTERS_SHARED_COPY(shared_float4_stride_8, float4, 1024, 8 * t, tile[8 * (t ^ 1)])
__global__ void shared_float4_even_lanes(const float4* in, float4* out) {
  __shared__ float4 tile[128];
  const int t = static_cast<int>(threadIdx.x);
  if (t % 2 == 0) tile[t] = in[global_index()];
  __syncthreads();
  if (t % 2 == 0) out[global_index()] = tile[t ^ 2];
}
COUNTERS_SHARED_COPY(shared_double, double, 128, t, tile[t ^ 1])
COUNTERS_SHARED_COPY(shared_double_stride_2, double, 256, 2 * t, tile[2 * (t ^ 1)])
__global__ void shared_double_columns(const double* in, double* out) {
  __shared__ double tile[32][33];
  const int x = static_cast<int>(threadIdx.x);
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) tile[y][x] = in[y * 32 + x];
  __syncthreads();
#pragma unroll 1
  for (int y = static_cast<int>(threadIdx.y); y < 32; y += 4) out[y * 32 + x] = tile[x][y];
}
COUNTERS_SHARED_COPY(shared_double_broadcast, double, 128, t, tile[9] + t)
__global__ void shared_char(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char tile[128];
  const int t = static_cast<int>(threadIdx.x);
  tile[t] = in[global_index()];
  __syncthreads();
  out[global_index()] = tile[t ^ 1];
}
__global__ void shared_char_stride_4(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char tile[512];
  const int t = static_cast<int>(threadIdx.x);
  tile[4 * t] = in[global_index()];
  __syncthreads();
  out[global_index()] = tile[4 * (t ^ 1)];
}
__global__ void shared_char_stride_128(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char tile[128 * 128];
  const int t = static_cast<int>(threadIdx.x);
  tile[128 * t] = in[global_index()];
  __syncthreads();
  out[global_index()] = tile[128 * (t ^ 1)];
}
COUNTERS_SHARED_COPY(shared_short_stride_64, short, 128 * 64, 64 * t, tile[64 * (t ^ 1)])

/// 16 bytes, but no float4.
struct Quad {
  float a, b, c, d;
};
__global__ void shared_structure_member(const float* in, float* out) {
  __shared__ Quad tile[128];
  const int t = static_cast<int>(threadIdx.x);
  tile[t].c = in[global_index()];
  __syncthreads();
  out[global_index()] = tile[t ^ 1].c;
}
__global__ void shared_structure_members(const float* in, float* out) {
  __shared__ Quad tile[128];
  const int t = static_cast<int>(threadIdx.x);
  const float value = in[global_index()];
  tile[t].a = value;
  tile[t].b = value + 1;
  tile[t].c = value + 2;
  tile[t].d = value + 3;
  __syncthreads();
  const int other = t ^ 1;
  out[global_index()] = tile[other].a + tile[other].b * tile[other].c - tile[other].d;
}

inline counters::Table shared_element_kernels() {
  return {
      COUNTERS_KERNEL(shared_float2, 4, 128, arrays.floats_as<float2>(), arrays.out_as<float2>()),
      COUNTERS_KERNEL(shared_float2_pairs, 4, 128, arrays.floats_as<float2>(),
                      arrays.out_as<float2>()),
      COUNTERS_KERNEL(shared_float2_stride_2, 4, 128, arrays.floats_as<float2>(),
                      arrays.out_as<float2>()),
      COUNTERS_KERNEL(shared_float2_stride_16, 4, 128, arrays.floats_as<float2>(),
                      arrays.out_as<float2>()),
      COUNTERS_KERNEL(shared_float2_half_warp, 4, 128, arrays.floats_as<float2>(),
                      arrays.out_as<float2>()),
      COUNTERS_KERNEL(shared_float3, 4, 128, arrays.floats_as<float3>(), arrays.out_as<float3>()),
      COUNTERS_KERNEL(shared_float4, 4, 128, arrays.floats_as<float4>(), arrays.out_as<float4>()),
      COUNTERS_KERNEL(shared_float4_pairs, 4, 128, arrays.floats_as<float4>(),
                      arrays.out_as<float4>()),
      COUNTERS_KERNEL(shared_float4_broadcast, 4, 128, arrays.floats_as<float4>(),
                      arrays.out_as<float4>()),
      COUNTERS_KERNEL(shared_float4_stride_2, 4, 128, arrays.floats_as<float4>(),
                      arrays.out_as<float4>()),
      COUNTERS_KERNEL(shared_float4_stride_8, 4, 128, arrays.floats_as<float4>(),
                      arrays.out_as<float4>()),
      COUNTERS_KERNEL(shared_float4_even_lanes, 4, 128, arrays.floats_as<float4>(),
                      arrays.out_as<float4>()),
      COUNTERS_KERNEL(shared_double, 4, 128, arrays.doubles, arrays.out_as<double>()),
      COUNTERS_KERNEL(shared_double_stride_2, 4, 128, arrays.doubles, arrays.out_as<double>()),
      COUNTERS_KERNEL(shared_double_columns, 1, dim3(32, 4), arrays.doubles,
                      arrays.out_as<double>()),
      COUNTERS_KERNEL(shared_double_broadcast, 4, 128, arrays.doubles, arrays.out_as<double>()),
      COUNTERS_KERNEL(shared_char, 4, 128, arrays.bytes, arrays.out_as<unsigned char>()),
      COUNTERS_KERNEL(shared_char_stride_4, 4, 128, arrays.bytes, arrays.out_as<unsigned char>()),
      COUNTERS_KERNEL(shared_char_stride_128, 4, 128, arrays.bytes, arrays.out_as<unsigned char>()),
      COUNTERS_KERNEL(shared_short_stride_64, 4, 128, arrays.ints_as<short>(),
                      arrays.out_as<short>()),
      COUNTERS_KERNEL(shared_structure_member, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(shared_structure_members, 4, 128, arrays.floats, arrays.out_as()),
  };
}
