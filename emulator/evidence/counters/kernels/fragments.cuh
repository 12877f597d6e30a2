/// @file
/// Fragments of A and B: what `load_matrix_sync` loads, from global and from shared memory, of
/// which types, layouts and strides.
#pragma once

#include "fragment_access.cuh"

COUNTERS_FRAGMENT(half_a_row_tight, matrix_a, 16, 16, 16, __half, row_major, __half, 16, 16)
COUNTERS_FRAGMENT(half_a_row_padded, matrix_a, 16, 16, 16, __half, row_major, __half, 24, 16)
COUNTERS_FRAGMENT(half_a_row_wide, matrix_a, 16, 16, 16, __half, row_major, __half, 64, 16)
COUNTERS_FRAGMENT(half_a_col_tight, matrix_a, 16, 16, 16, __half, col_major, __half, 16, 16)
COUNTERS_FRAGMENT(half_a_col_padded, matrix_a, 16, 16, 16, __half, col_major, __half, 24, 16)
COUNTERS_FRAGMENT(half_a_col_wide, matrix_a, 16, 16, 16, __half, col_major, __half, 64, 16)
COUNTERS_FRAGMENT(half_b_row_tight, matrix_b, 16, 16, 16, __half, row_major, __half, 16, 16)
COUNTERS_FRAGMENT(half_b_row_padded, matrix_b, 16, 16, 16, __half, row_major, __half, 24, 16)
COUNTERS_FRAGMENT(half_b_row_wide, matrix_b, 16, 16, 16, __half, row_major, __half, 64, 16)
COUNTERS_FRAGMENT(half_b_col_tight, matrix_b, 16, 16, 16, __half, col_major, __half, 16, 16)
COUNTERS_FRAGMENT(half_b_col_padded, matrix_b, 16, 16, 16, __half, col_major, __half, 24, 16)
COUNTERS_FRAGMENT(half_b_col_wide, matrix_b, 16, 16, 16, __half, col_major, __half, 64, 16)
COUNTERS_FRAGMENT(half_32x8_a_row_padded, matrix_a, 32, 8, 16, __half, row_major, __half, 24, 32)
COUNTERS_FRAGMENT(half_32x8_a_col_padded, matrix_a, 32, 8, 16, __half, col_major, __half, 40, 16)
COUNTERS_FRAGMENT(half_32x8_b_row_padded, matrix_b, 32, 8, 16, __half, row_major, __half, 16, 16)
COUNTERS_FRAGMENT(half_32x8_b_col_padded, matrix_b, 32, 8, 16, __half, col_major, __half, 24, 8)
COUNTERS_FRAGMENT(half_8x32_a_row_padded, matrix_a, 8, 32, 16, __half, row_major, __half, 24, 8)
COUNTERS_FRAGMENT(half_8x32_a_col_padded, matrix_a, 8, 32, 16, __half, col_major, __half, 16, 16)
COUNTERS_FRAGMENT(half_8x32_b_row_padded, matrix_b, 8, 32, 16, __half, row_major, __half, 40, 16)
COUNTERS_FRAGMENT(half_8x32_b_col_padded, matrix_b, 8, 32, 16, __half, col_major, __half, 24, 32)
COUNTERS_FRAGMENT(bf16_a_row_padded, matrix_a, 16, 16, 16, __nv_bfloat16, row_major, __nv_bfloat16,
                  24, 16)
COUNTERS_FRAGMENT(bf16_a_col_padded, matrix_a, 16, 16, 16, __nv_bfloat16, col_major, __nv_bfloat16,
                  24, 16)
COUNTERS_FRAGMENT(bf16_b_row_padded, matrix_b, 16, 16, 16, __nv_bfloat16, row_major, __nv_bfloat16,
                  24, 16)
COUNTERS_FRAGMENT(bf16_b_col_padded, matrix_b, 16, 16, 16, __nv_bfloat16, col_major, __nv_bfloat16,
                  24, 16)
COUNTERS_FRAGMENT(tf32_a_row_tight, matrix_a, 16, 16, 8, precision::tf32, row_major, float, 8, 16)
COUNTERS_FRAGMENT(tf32_a_row_padded, matrix_a, 16, 16, 8, precision::tf32, row_major, float, 12, 16)
COUNTERS_FRAGMENT(tf32_a_row_wide, matrix_a, 16, 16, 8, precision::tf32, row_major, float, 32, 16)
COUNTERS_FRAGMENT(tf32_a_col_tight, matrix_a, 16, 16, 8, precision::tf32, col_major, float, 16, 8)
COUNTERS_FRAGMENT(tf32_a_col_padded, matrix_a, 16, 16, 8, precision::tf32, col_major, float, 20, 8)
COUNTERS_FRAGMENT(tf32_a_col_wide, matrix_a, 16, 16, 8, precision::tf32, col_major, float, 32, 8)
COUNTERS_FRAGMENT(tf32_b_row_tight, matrix_b, 16, 16, 8, precision::tf32, row_major, float, 16, 8)
COUNTERS_FRAGMENT(tf32_b_row_padded, matrix_b, 16, 16, 8, precision::tf32, row_major, float, 20, 8)
COUNTERS_FRAGMENT(tf32_b_row_wide, matrix_b, 16, 16, 8, precision::tf32, row_major, float, 32, 8)
COUNTERS_FRAGMENT(tf32_b_col_tight, matrix_b, 16, 16, 8, precision::tf32, col_major, float, 8, 16)
COUNTERS_FRAGMENT(tf32_b_col_padded, matrix_b, 16, 16, 8, precision::tf32, col_major, float, 12, 16)
COUNTERS_FRAGMENT(tf32_b_col_wide, matrix_b, 16, 16, 8, precision::tf32, col_major, float, 32, 16)
COUNTERS_FRAGMENT(s8_a_row_tight, matrix_a, 16, 16, 16, signed char, row_major, signed char, 16, 16)
COUNTERS_FRAGMENT(s8_a_row_padded, matrix_a, 16, 16, 16, signed char, row_major, signed char, 32,
                  16)
COUNTERS_FRAGMENT(s8_a_row_wide, matrix_a, 16, 16, 16, signed char, row_major, signed char, 128, 16)
COUNTERS_FRAGMENT(s8_a_col_tight, matrix_a, 16, 16, 16, signed char, col_major, signed char, 16, 16)
COUNTERS_FRAGMENT(s8_a_col_padded, matrix_a, 16, 16, 16, signed char, col_major, signed char, 32,
                  16)
COUNTERS_FRAGMENT(s8_a_col_wide, matrix_a, 16, 16, 16, signed char, col_major, signed char, 128, 16)
COUNTERS_FRAGMENT(s8_b_row_tight, matrix_b, 16, 16, 16, signed char, row_major, signed char, 16, 16)
COUNTERS_FRAGMENT(s8_b_row_padded, matrix_b, 16, 16, 16, signed char, row_major, signed char, 32,
                  16)
COUNTERS_FRAGMENT(s8_b_row_wide, matrix_b, 16, 16, 16, signed char, row_major, signed char, 128, 16)
COUNTERS_FRAGMENT(s8_b_col_tight, matrix_b, 16, 16, 16, signed char, col_major, signed char, 16, 16)
COUNTERS_FRAGMENT(s8_b_col_padded, matrix_b, 16, 16, 16, signed char, col_major, signed char, 32,
                  16)
COUNTERS_FRAGMENT(s8_b_col_wide, matrix_b, 16, 16, 16, signed char, col_major, signed char, 128, 16)
COUNTERS_FRAGMENT(s8_32x8_a_row_padded, matrix_a, 32, 8, 16, signed char, row_major, signed char,
                  32, 32)
COUNTERS_FRAGMENT(s8_32x8_a_col_padded, matrix_a, 32, 8, 16, signed char, col_major, signed char,
                  48, 16)
COUNTERS_FRAGMENT(s8_32x8_b_row_padded, matrix_b, 32, 8, 16, signed char, row_major, signed char,
                  16, 16)
COUNTERS_FRAGMENT(s8_32x8_b_col_padded, matrix_b, 32, 8, 16, signed char, col_major, signed char,
                  32, 8)
COUNTERS_FRAGMENT(s8_8x32_a_row_padded, matrix_a, 8, 32, 16, signed char, row_major, signed char,
                  32, 8)
COUNTERS_FRAGMENT(s8_8x32_a_col_padded, matrix_a, 8, 32, 16, signed char, col_major, signed char,
                  16, 16)
COUNTERS_FRAGMENT(s8_8x32_b_row_padded, matrix_b, 8, 32, 16, signed char, row_major, signed char,
                  48, 16)
COUNTERS_FRAGMENT(s8_8x32_b_col_padded, matrix_b, 8, 32, 16, signed char, col_major, signed char,
                  32, 32)
COUNTERS_FRAGMENT(f64_a_row_tight, matrix_a, 8, 8, 4, double, row_major, double, 4, 8)
COUNTERS_FRAGMENT(f64_a_row_padded, matrix_a, 8, 8, 4, double, row_major, double, 6, 8)
COUNTERS_FRAGMENT(f64_a_row_wide, matrix_a, 8, 8, 4, double, row_major, double, 16, 8)
COUNTERS_FRAGMENT(f64_a_col_tight, matrix_a, 8, 8, 4, double, col_major, double, 8, 4)
COUNTERS_FRAGMENT(f64_a_col_padded, matrix_a, 8, 8, 4, double, col_major, double, 10, 4)
COUNTERS_FRAGMENT(f64_a_col_wide, matrix_a, 8, 8, 4, double, col_major, double, 16, 4)
COUNTERS_FRAGMENT(f64_b_row_tight, matrix_b, 8, 8, 4, double, row_major, double, 8, 4)
COUNTERS_FRAGMENT(f64_b_row_padded, matrix_b, 8, 8, 4, double, row_major, double, 10, 4)
COUNTERS_FRAGMENT(f64_b_row_wide, matrix_b, 8, 8, 4, double, row_major, double, 16, 4)
COUNTERS_FRAGMENT(f64_b_col_tight, matrix_b, 8, 8, 4, double, col_major, double, 4, 8)
COUNTERS_FRAGMENT(f64_b_col_padded, matrix_b, 8, 8, 4, double, col_major, double, 6, 8)
COUNTERS_FRAGMENT(f64_b_col_wide, matrix_b, 8, 8, 4, double, col_major, double, 16, 8)

inline counters::Table fragment_kernels() {
  return {
      COUNTERS_KERNEL(load_half_a_row_tight_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_row_tight_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_row_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_row_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_row_wide_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_row_wide_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_col_tight_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_col_tight_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_col_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_col_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_col_wide_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_a_col_wide_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_row_tight_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_row_tight_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_row_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_row_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_row_wide_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_row_wide_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_col_tight_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_col_tight_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_col_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_col_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_col_wide_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_b_col_wide_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_32x8_a_row_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_32x8_a_row_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_32x8_a_col_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_32x8_a_col_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_32x8_b_row_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_32x8_b_row_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_32x8_b_col_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_32x8_b_col_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_8x32_a_row_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_8x32_a_row_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_8x32_a_col_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_8x32_a_col_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_8x32_b_row_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_8x32_b_row_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_8x32_b_col_padded_global, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_half_8x32_b_col_padded_shared, 1, 32, arrays.ints_as<__half>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_bf16_a_row_padded_global, 1, 32, arrays.ints_as<__nv_bfloat16>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_bf16_a_row_padded_shared, 1, 32, arrays.ints_as<__nv_bfloat16>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_bf16_a_col_padded_global, 1, 32, arrays.ints_as<__nv_bfloat16>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_bf16_a_col_padded_shared, 1, 32, arrays.ints_as<__nv_bfloat16>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_bf16_b_row_padded_global, 1, 32, arrays.ints_as<__nv_bfloat16>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_bf16_b_row_padded_shared, 1, 32, arrays.ints_as<__nv_bfloat16>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_bf16_b_col_padded_global, 1, 32, arrays.ints_as<__nv_bfloat16>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_bf16_b_col_padded_shared, 1, 32, arrays.ints_as<__nv_bfloat16>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_row_tight_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_row_tight_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_row_padded_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_row_padded_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_row_wide_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_row_wide_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_col_tight_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_col_tight_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_col_padded_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_col_padded_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_col_wide_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_a_col_wide_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_row_tight_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_row_tight_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_row_padded_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_row_padded_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_row_wide_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_row_wide_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_col_tight_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_col_tight_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_col_padded_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_col_padded_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_col_wide_global, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_tf32_b_col_wide_shared, 1, 32, arrays.ints_as<float>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_row_tight_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_row_tight_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_row_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_row_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_row_wide_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_row_wide_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_col_tight_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_col_tight_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_col_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_col_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_col_wide_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_a_col_wide_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_row_tight_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_row_tight_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_row_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_row_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_row_wide_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_row_wide_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_col_tight_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_col_tight_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_col_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_col_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_col_wide_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_b_col_wide_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_32x8_a_row_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_32x8_a_row_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_32x8_a_col_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_32x8_a_col_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_32x8_b_row_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_32x8_b_row_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_32x8_b_col_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_32x8_b_col_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_8x32_a_row_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_8x32_a_row_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_8x32_a_col_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_8x32_a_col_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_8x32_b_row_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_8x32_b_row_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_8x32_b_col_padded_global, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_s8_8x32_b_col_padded_shared, 1, 32, arrays.ints_as<signed char>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_row_tight_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_row_tight_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_row_padded_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_row_padded_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_row_wide_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_row_wide_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_col_tight_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_col_tight_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_col_padded_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_col_padded_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_col_wide_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_a_col_wide_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_row_tight_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_row_tight_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_row_padded_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_row_padded_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_row_wide_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_row_wide_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_col_tight_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_col_tight_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_col_padded_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_col_padded_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_col_wide_global, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(load_f64_b_col_wide_shared, 1, 32, arrays.ints_as<double>(),
                      arrays.out_as<unsigned>()),
  };
}
