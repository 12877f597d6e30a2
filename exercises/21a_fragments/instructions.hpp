// Given with exercise 21a: instructions of tensor cores, as functions of a warp.
#pragma once

#include <cuda_fp16.h>

#include <cstdint>

/// Two matrices of 8 rows of 8 halves from shared memory, at once. Lanes 0 to 15 say where their
/// rows begin; a lane gets two neighbours of each matrix.
inline __device__ void load_two(std::uint32_t (&to)[2], const __half* row) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(to[0]), "=r"(to[1])
               : "r"(address)
               : "memory");
}

/// One matrix, transposed on the way.
inline __device__ void load_one_transposed(std::uint32_t (&to)[1], const __half* row) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(to[0])
               : "r"(address)
               : "memory");
}

/// c += a b, of 16 x 8 sums with 8 terms each.
inline __device__ void multiply_add(float (&c)[4], std::uint32_t a0, std::uint32_t a1,
                                    std::uint32_t b) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a0), "r"(a1), "r"(b));
}
