/// @file
/// Rows of matrices in shared memory: which addresses `ldmatrix` and `stmatrix` get. Each lane
/// brings that of a row of 16 bytes.
#pragma once

#include "table.cuh"

namespace counters {

constexpr int matrix_words = 1024;  ///< of shared memory

/// Loads `count` matrices from the lanes' rows; the sum of the registers.
template <int count, bool is_transposed>
__device__ unsigned load_rows(const unsigned char* row) {
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  unsigned r[4] = {};
  if constexpr (count == 1 && !is_transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(at));
  } else if constexpr (count == 1) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(r[0])
                 : "r"(at));
  } else if constexpr (count == 2 && !is_transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(at));
  } else if constexpr (count == 2) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(r[0]), "=r"(r[1])
                 : "r"(at));
  } else if constexpr (!is_transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
  }
  return r[0] + r[1] + r[2] + r[3];
}

/// Stores `count` matrices to the lanes' rows, in which all numbers are the same: so it does not
/// matter which of two equal rows is written last.
template <int count, bool is_transposed>
__device__ void store_rows(unsigned char* row) {
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(row));
  const unsigned r = 0x00070007;
  if constexpr (count == 1 && !is_transposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(r)
                 : "memory");
  } else if constexpr (count == 1) {
    asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(at), "r"(r)
                 : "memory");
  } else if constexpr (count == 2 && !is_transposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %1};" ::"r"(at), "r"(r)
                 : "memory");
  } else if constexpr (count == 2) {
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %1};" ::"r"(at), "r"(r)
                 : "memory");
  } else if constexpr (!is_transposed) {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at),
                 "r"(r)
                 : "memory");
  } else {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at),
                 "r"(r)
                 : "memory");
  }
}

}  // namespace counters

// The kernels of a warp each: one that loads, and one that stores, from and to rows whose first
// bytes are where `byte` says, by the lane's number i.
#define COUNTERS_ROWS_OF(name, count, is_transposed, byte)                                       \
  __global__ void ldmatrix_##name(const unsigned* in, unsigned* out) {                           \
    __shared__ alignas(128) unsigned tile[counters::matrix_words];                               \
    const int i = static_cast<int>(threadIdx.x);                                                 \
    _Pragma("unroll 1") for (int j = i; j < counters::matrix_words; j += 32) tile[j] = in[j];    \
    __syncthreads();                                                                             \
    out[i] = counters::load_rows<count, is_transposed>(reinterpret_cast<unsigned char*>(tile) +  \
                                                       (byte));                                  \
  }                                                                                              \
  __global__ void stmatrix_##name(unsigned* out) {                                               \
    __shared__ alignas(128) unsigned tile[counters::matrix_words];                               \
    const int i = static_cast<int>(threadIdx.x);                                                 \
    _Pragma("unroll 1") for (int j = i; j < counters::matrix_words; j += 32) tile[j] = 0;        \
    __syncthreads();                                                                             \
    counters::store_rows<count, is_transposed>(reinterpret_cast<unsigned char*>(tile) + (byte)); \
    __syncthreads();                                                                             \
    _Pragma("unroll 1") for (int j = i; j < counters::matrix_words; j += 32) out[j] = tile[j];   \
  }
#define COUNTERS_ROWS(name, byte)                  \
  COUNTERS_ROWS_OF(x1_##name, 1, false, byte)      \
  COUNTERS_ROWS_OF(x2_##name, 2, false, byte)      \
  COUNTERS_ROWS_OF(x4_##name, 4, false, byte)      \
  COUNTERS_ROWS_OF(x1_trans_##name, 1, true, byte) \
  COUNTERS_ROWS_OF(x2_trans_##name, 2, true, byte) \
  COUNTERS_ROWS_OF(x4_trans_##name, 4, true, byte)
// Rows follow each other.
COUNTERS_ROWS(unit, 16 * i)
// The other way round.
COUNTERS_ROWS(reversed, 16 * (31 - i))
COUNTERS_ROWS(stride_32, 32 * i)
COUNTERS_ROWS(stride_64, 64 * i)
// All of a matrix in the same banks.
COUNTERS_ROWS(stride_128, 128 * i)
// As a tile of 32 numbers per row with 8 after them.
COUNTERS_ROWS(padded, 80 * i)
COUNTERS_ROWS(swizzled, 128 * i + 16 * (i % 8))
// All rows are the same.
COUNTERS_ROWS(equal, 64)
COUNTERS_ROWS(pairs, 16 * (i / 2))
// All matrices are the same.
COUNTERS_ROWS(one_matrix, 16 * (i % 8))
COUNTERS_ROWS(matrices_apart, 16 * (i % 8) + 1024 * (i / 8))
COUNTERS_ROWS(random, 16 * ((i * 37 + i * i * 11) % 128))
// Of a single matrix: whose addresses do not count.
COUNTERS_ROWS_OF(x1_others_elsewhere, 1, false, i < 8 ? 16 * i : 128 * i)
#undef COUNTERS_ROWS
#undef COUNTERS_ROWS_OF

inline counters::Table row_kernels() {
  return {
      COUNTERS_KERNEL(ldmatrix_x1_unit, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_unit, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_unit, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_unit, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_unit, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_unit, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_reversed, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_reversed, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_reversed, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_reversed, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_reversed, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_reversed, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_stride_32, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_stride_32, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_stride_32, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_stride_32, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_stride_32, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_stride_32, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_stride_64, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_stride_64, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_stride_64, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_stride_64, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_stride_64, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_stride_64, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_stride_128, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_stride_128, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_stride_128, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_stride_128, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_stride_128, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_stride_128, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_padded, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_padded, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_padded, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_padded, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_padded, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_padded, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_swizzled, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_swizzled, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_swizzled, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_swizzled, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_swizzled, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_swizzled, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_equal, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_equal, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_equal, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_equal, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_equal, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_equal, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_pairs, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_pairs, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_pairs, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_pairs, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_pairs, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_pairs, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_one_matrix, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_one_matrix, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_one_matrix, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_one_matrix, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_one_matrix, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_one_matrix, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_matrices_apart, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_matrices_apart, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_matrices_apart, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_matrices_apart, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_matrices_apart, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_matrices_apart, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_random, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_random, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_random, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_trans_random, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x2_trans_random, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x4_trans_random, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(ldmatrix_x1_others_elsewhere, 1, 32, arrays.ints_as<unsigned>(),
                      arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_unit, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_unit, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_unit, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_unit, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_unit, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_unit, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_reversed, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_reversed, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_reversed, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_reversed, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_reversed, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_reversed, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_stride_32, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_stride_32, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_stride_32, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_stride_32, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_stride_32, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_stride_32, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_stride_64, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_stride_64, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_stride_64, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_stride_64, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_stride_64, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_stride_64, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_stride_128, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_stride_128, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_stride_128, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_stride_128, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_stride_128, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_stride_128, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_padded, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_padded, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_padded, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_padded, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_padded, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_padded, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_swizzled, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_swizzled, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_swizzled, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_swizzled, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_swizzled, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_swizzled, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_equal, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_equal, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_equal, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_equal, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_equal, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_equal, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_pairs, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_pairs, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_pairs, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_pairs, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_pairs, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_pairs, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_one_matrix, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_one_matrix, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_one_matrix, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_one_matrix, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_one_matrix, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_one_matrix, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_matrices_apart, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_matrices_apart, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_matrices_apart, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_matrices_apart, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_matrices_apart, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_matrices_apart, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_random, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_random, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_random, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_trans_random, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x2_trans_random, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x4_trans_random, 1, 32, arrays.out_as<unsigned>()),
      COUNTERS_KERNEL(stmatrix_x1_others_elsewhere, 1, 32, arrays.out_as<unsigned>()),
  };
}
