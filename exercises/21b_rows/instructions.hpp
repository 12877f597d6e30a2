// Given with exercise 21b: instructions of tensor cores, as functions of a warp.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

/// Four matrices of 8 rows of 16 bytes. Lane l names row l % 8 of matrix l / 8; of each matrix a
/// lane gets two neighbours in row lane / 4.
inline __device__ void load_matrices(std::uint32_t (&to)[4], const __half* row) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}

/// The same, each matrix transposed: two neighbours in column lane / 4.
inline __device__ void load_transposed(std::uint32_t (&to)[4], const __half* row) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}

/// c += a b, of 16 x 8 sums with 8 terms each. a0: rows 0 to 7 of A, a1: rows 8 to 15.
inline __device__ void multiply(float (&c)[4], std::uint32_t a0, std::uint32_t a1,
                                std::uint32_t b) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a0), "r"(a1), "r"(b));
}
