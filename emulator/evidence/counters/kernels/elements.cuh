/// @file
/// Elements of 1 to 16 bytes, and of sizes that no load has.
#pragma once

#include "table.cuh"

__global__ void copy_char(const unsigned char* in, unsigned char* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_short(const short* in, short* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_int(const int* in, int* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_double(const double* in, double* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_long_long(const long long* in, long long* out) {
  const int i = global_index();
  out[i] = in[i] + 1;
}
__global__ void copy_char4(const uchar4* in, uchar4* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_float2(const float2* in, float2* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_float3(const float3* in, float3* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_float4(const float4* in, float4* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_double2(const double2* in, double2* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_double3(const double3* in, double3* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void copy_int4(const int4* in, int4* out) {
  const int i = global_index();
  out[i] = in[i];
}

// Width and distance together.
__global__ void char_stride_3(const unsigned char* in, unsigned char* out) {
  const int i = global_index();
  out[i] = in[3 * i];
}
__global__ void char_stride_32(const unsigned char* in, unsigned char* out) {
  const int i = global_index();
  out[i] = in[32 * i];
}
__global__ void char_offset_5(const unsigned char* in, unsigned char* out) {
  const int i = global_index();
  out[i] = in[i + 5];
}
__global__ void short_stride_2(const short* in, short* out) {
  const int i = global_index();
  out[2 * i] = in[2 * i];
}
__global__ void double_stride_2(const double* in, double* out) {
  const int i = global_index();
  out[2 * i] = in[2 * i];
}
__global__ void double_offset_1(const double* in, double* out) {
  const int i = global_index();
  out[i] = in[i + 1];
}
__global__ void double_gather(const double* in, const int* index, double* out) {
  const int i = global_index();
  out[i] = in[index[i]];
}
__global__ void float2_stride_3(const float2* in, float2* out) {
  const int i = global_index();
  out[i] = in[3 * i];
}
__global__ void float4_stride_2(const float4* in, float4* out) {
  const int i = global_index();
  out[2 * i] = in[2 * i];
}
__global__ void float4_offset_1(const float4* in, float4* out) {
  const int i = global_index();
  out[i + 1] = in[i + 1];
}
__global__ void float4_gather(const float4* in, const int* index, float4* out) {
  const int i = global_index();
  out[i] = in[index[i]];
}
__global__ void float4_same(const float4* in, float4* out) {
  const int i = global_index();
  out[i] = in[blockIdx.x];
}
__global__ void float4_odd_lanes(const float4* in, float4* out) {
  const int i = global_index();
  if (i % 2 == 1) out[i] = in[i];
}

// All that was loaded is used, in parts.
__global__ void float4_sum(const float4* in, float* out) {
  const int i = global_index();
  const float4 v = in[i];
  out[i] = v.x + v.y + v.z + v.w;
}
__global__ void float3_sum(const float3* in, float* out) {
  const int i = global_index();
  const float3 v = in[i];
  out[i] = v.x + v.y + v.z;
}
__global__ void float2_product(const float2* in, float* out) {
  const int i = global_index();
  const float2 v = in[i];
  out[i] = v.x * v.y;
}

// Only a part of what was loaded is used: a compiler may load no more than that.
__global__ void float4_x_used(const float4* in, float* out) {
  const int i = global_index();
  const float4 v = in[i];
  out[i] = v.x;
}
__global__ void float4_xy_used(const float4* in, float* out) {
  const int i = global_index();
  const float4 v = in[i];
  out[i] = v.x + v.y;
}
__global__ void float4_zw_used(const float4* in, float* out) {
  const int i = global_index();
  const float4 v = in[i];
  out[i] = v.z * v.w;
}
__global__ void float4_xyz_used(const float4* in, float* out) {
  const int i = global_index();
  const float4 v = in[i];
  out[i] = v.x + v.y + v.z;
}

// One member at a time, as it is written: a compiler may make one access of them.
__global__ void float4_member_read(const float4* in, float* out) {
  const int i = global_index();
  out[i] = in[i].y;
}
__global__ void float4_members_read(const float4* in, float* out) {
  const int i = global_index();
  out[i] = in[i].x + in[i].y + in[i].z + in[i].w;
}
__global__ void float4_member_written(const float* in, float4* out) {
  const int i = global_index();
  out[i].z = in[i];
}
__global__ void float4_members_written(const float* in, float4* out) {
  const int i = global_index();
  const float value = in[i];
  out[i].x = value;
  out[i].y = value + 1;
  out[i].z = value + 2;
  out[i].w = value + 3;
}
__global__ void float2_members_written(const float* in, float2* out) {
  const int i = global_index();
  const float value = in[i];
  out[i].x = value;
  out[i].y = -value;
}

inline counters::Table element_kernels() {
  return {
      COUNTERS_KERNEL(copy_char, 4, 128, arrays.bytes, arrays.out_as<unsigned char>()),
      COUNTERS_KERNEL(copy_short, 4, 128, arrays.ints_as<short>(), arrays.out_as<short>()),
      COUNTERS_KERNEL(copy_int, 4, 128, arrays.ints, arrays.out_as<int>()),
      COUNTERS_KERNEL(copy_double, 4, 128, arrays.doubles, arrays.out_as<double>()),
      COUNTERS_KERNEL(copy_long_long, 4, 128, arrays.ints_as<long long>(),
                      arrays.out_as<long long>()),
      COUNTERS_KERNEL(copy_char4, 4, 128, arrays.bytes_as<uchar4>(), arrays.out_as<uchar4>()),
      COUNTERS_KERNEL(copy_float2, 4, 128, arrays.floats_as<float2>(), arrays.out_as<float2>()),
      COUNTERS_KERNEL(copy_float3, 4, 128, arrays.floats_as<float3>(), arrays.out_as<float3>()),
      COUNTERS_KERNEL(copy_float4, 4, 128, arrays.floats_as<float4>(), arrays.out_as<float4>()),
      COUNTERS_KERNEL(copy_double2, 4, 128, arrays.doubles_as<double2>(), arrays.out_as<double2>()),
      COUNTERS_KERNEL(copy_double3, 4, 128, arrays.doubles_as<double3>(), arrays.out_as<double3>()),
      COUNTERS_KERNEL(copy_int4, 4, 128, arrays.ints_as<int4>(), arrays.out_as<int4>()),
      COUNTERS_KERNEL(char_stride_3, 4, 128, arrays.bytes, arrays.out_as<unsigned char>()),
      COUNTERS_KERNEL(char_stride_32, 4, 128, arrays.bytes, arrays.out_as<unsigned char>()),
      COUNTERS_KERNEL(char_offset_5, 4, 128, arrays.bytes, arrays.out_as<unsigned char>()),
      COUNTERS_KERNEL(short_stride_2, 4, 128, arrays.ints_as<short>(), arrays.out_as<short>()),
      COUNTERS_KERNEL(double_stride_2, 4, 128, arrays.doubles, arrays.out_as<double>()),
      COUNTERS_KERNEL(double_offset_1, 4, 128, arrays.doubles, arrays.out_as<double>()),
      COUNTERS_KERNEL(double_gather, 4, 128, arrays.doubles, arrays.permutation,
                      arrays.out_as<double>()),
      COUNTERS_KERNEL(float2_stride_3, 4, 128, arrays.floats_as<float2>(), arrays.out_as<float2>()),
      COUNTERS_KERNEL(float4_stride_2, 4, 128, arrays.floats_as<float4>(), arrays.out_as<float4>()),
      COUNTERS_KERNEL(float4_offset_1, 4, 128, arrays.floats_as<float4>(), arrays.out_as<float4>()),
      COUNTERS_KERNEL(float4_gather, 4, 128, arrays.floats_as<float4>(), arrays.permutation,
                      arrays.out_as<float4>()),
      COUNTERS_KERNEL(float4_same, 4, 128, arrays.floats_as<float4>(), arrays.out_as<float4>()),
      COUNTERS_KERNEL(float4_odd_lanes, 4, 128, arrays.floats_as<float4>(),
                      arrays.out_as<float4>()),
      COUNTERS_KERNEL(float4_sum, 4, 128, arrays.floats_as<float4>(), arrays.out_as()),
      COUNTERS_KERNEL(float3_sum, 4, 128, arrays.floats_as<float3>(), arrays.out_as()),
      COUNTERS_KERNEL(float2_product, 4, 128, arrays.floats_as<float2>(), arrays.out_as()),
      COUNTERS_KERNEL(float4_x_used, 4, 128, arrays.floats_as<float4>(), arrays.out_as()),
      COUNTERS_KERNEL(float4_xy_used, 4, 128, arrays.floats_as<float4>(), arrays.out_as()),
      COUNTERS_KERNEL(float4_zw_used, 4, 128, arrays.floats_as<float4>(), arrays.out_as()),
      COUNTERS_KERNEL(float4_xyz_used, 4, 128, arrays.floats_as<float4>(), arrays.out_as()),
      COUNTERS_KERNEL(float4_member_read, 4, 128, arrays.floats_as<float4>(), arrays.out_as()),
      COUNTERS_KERNEL(float4_members_read, 4, 128, arrays.floats_as<float4>(), arrays.out_as()),
      COUNTERS_KERNEL(float4_member_written, 4, 128, arrays.floats, arrays.out_as<float4>()),
      COUNTERS_KERNEL(float4_members_written, 4, 128, arrays.floats, arrays.out_as<float4>()),
      COUNTERS_KERNEL(float2_members_written, 4, 128, arrays.floats, arrays.out_as<float2>()),
  };
}
