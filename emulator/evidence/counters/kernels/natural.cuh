/// @file
/// Kernels as a learner writes them. A compiler may load what it holds already only once, store
/// only what counts, and do in one access what the source does in two.
#pragma once

#include "table.cuh"

__constant__ float coefficients[16];

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void same_element_twice(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * in[i];
}
__global__ void same_element_after_a_store(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  out[i + 512] = in[i];
}
__global__ void same_element_restrict(const float* __restrict__ in, float* __restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  out[i + 512] = in[i];
}
__global__ void square_in_place(float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = x[i] * x[i];
}
__global__ void two_steps_in_place(float* x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += 1.0f;
  x[i] *= 2.0f;
}
__global__ void zero_then_value(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 0.0f;
  out[i] = in[i];
}
__global__ void sum_in_memory(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 0.0f;
  for (int k = 0; k < n; ++k) out[i] += in[k * 512 + i];
}
__global__ void sum_in_memory_restrict(const float* __restrict__ in, float* __restrict__ out,
                                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 0.0f;
  for (int k = 0; k < n; ++k) out[i] += in[k * 512 + i];
}
__global__ void sum_in_register(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += in[k * 512 + i];
  out[i] = sum;
}
__global__ void invariant_in_loop(const float* in, const float* factor, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += in[k * 512 + i] * factor[0];
  out[i] = sum;
}
__global__ void invariant_between_stores(const float* in, const float* factor, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) out[k * 512 + i] = in[k * 512 + i] * factor[0];
}
__global__ void not_needed(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i];
  float b = in[i + 512];
  out[i] = a + 0.0f * static_cast<float>(b > 0.0f && b < 0.0f);
}
__global__ void stencil_3(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = in[i - 1] + in[i] + in[i + 1];
}
__global__ void stencil_3_of_two(const float* in, float* out) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = in[i] + in[i + 1] + in[i + 2];
  out[i + 1] = in[i + 1] + in[i + 2] + in[i + 3];
}
__global__ void two_neighbours_a_thread(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = in[2 * i];
  out[2 * i + 1] = in[2 * i + 1];
}
__global__ void four_neighbours_a_thread(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) out[4 * i + k] = in[4 * i + k];
}
__global__ void float4_scaled(const float* in, float* out, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = reinterpret_cast<const float4*>(in)[i];
  v.x *= factor;
  v.y *= factor;
  v.z *= factor;
  v.w *= factor;
  reinterpret_cast<float4*>(out)[i] = v;
}
__global__ void float4_by_members(const float4* in, float4* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i].x = in[i].x;
  out[i].y = in[i].y;
  out[i].z = in[i].z;
  out[i].w = in[i].w;
}
__global__ void read_through_volatile(volatile const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * in[i];
}
__global__ void polynomial_of_constants(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = coefficients[0];
  for (int k = 1; k < 4; ++k) value = value * in[i] + coefficients[k];
  out[i] = value;
}
__global__ void constant_by_lane(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * coefficients[i % 16];
}
__global__ void array_of_a_thread(const float* in, const int* random, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine[16];
  for (int k = 0; k < 16; ++k) mine[k] = in[k * 512 + i];
  out[i] = mine[random[i] % 16];
}
__global__ void swap_halves(float* x, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float low = x[i];
  float high = x[i + half];
  x[i] = high;
  x[i + half] = low;
}
__global__ void minimum_and_place(const float* in, float* smallest, int* place, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  smallest[i] = in[i];
  place[i] = 0;
  for (int k = 1; k < n; ++k) {
    if (in[k * 512 + i] < smallest[i]) {
      smallest[i] = in[k * 512 + i];
      place[i] = k;
    }
  }
}
__global__ void matrix_vector(const float* A, const float* x, float* y, int m, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0.0f;
  for (int j = 0; j < n; ++j) sum += A[row * n + j] * x[j];
  y[row] = sum;
}
__global__ void matrix_product(const float* A, const float* B, float* C, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && col < n) {
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
  }
}

inline counters::Table natural_kernels() {
  return {
      COUNTERS_KERNEL(saxpy, 4, 128, 500, 2.0F, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(same_element_twice, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(same_element_after_a_store, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(same_element_restrict, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(square_in_place, 4, 128, arrays.out_as()),
      COUNTERS_KERNEL(two_steps_in_place, 4, 128, arrays.out_as()),
      COUNTERS_KERNEL(zero_then_value, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(sum_in_memory, 4, 128, arrays.floats, arrays.out_as(), 9),
      COUNTERS_KERNEL(sum_in_memory_restrict, 4, 128, arrays.floats, arrays.out_as(), 9),
      COUNTERS_KERNEL(sum_in_register, 4, 128, arrays.floats, arrays.out_as(), 9),
      COUNTERS_KERNEL(invariant_in_loop, 4, 128, arrays.floats, arrays.floats_as<float>() + 77,
                      arrays.out_as(), 9),
      COUNTERS_KERNEL(invariant_between_stores, 4, 128, arrays.floats,
                      arrays.floats_as<float>() + 77, arrays.out_as(), 9),
      COUNTERS_KERNEL(not_needed, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(stencil_3, 4, 128, arrays.floats, arrays.out_as(), 500),
      COUNTERS_KERNEL(stencil_3_of_two, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(two_neighbours_a_thread, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(four_neighbours_a_thread, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(float4_scaled, 4, 128, arrays.floats, arrays.out_as(), 3.0F),
      COUNTERS_KERNEL(float4_by_members, 4, 128, arrays.floats_as<float4>(),
                      arrays.out_as<float4>()),
      COUNTERS_KERNEL(read_through_volatile, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(polynomial_of_constants, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(constant_by_lane, 4, 128, arrays.floats, arrays.out_as()),
      COUNTERS_KERNEL(array_of_a_thread, 4, 128, arrays.floats, arrays.random, arrays.out_as()),
      COUNTERS_KERNEL(swap_halves, 4, 128, arrays.out_as(), 512),
      COUNTERS_KERNEL(minimum_and_place, 4, 128, arrays.floats, arrays.out_as(),
                      arrays.out_as<int>() + 4096, 9),
      COUNTERS_KERNEL(matrix_vector, 3, 96, arrays.floats, arrays.floats_as<float>() + 100000,
                      arrays.out_as(), 257, 100),
      COUNTERS_KERNEL(matrix_product, dim3(3, 3), dim3(16, 16), arrays.floats,
                      arrays.floats_as<float>() + 10000, arrays.out_as(), 45),
  };
}
