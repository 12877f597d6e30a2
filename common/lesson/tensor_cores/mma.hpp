/// @file
/// The tensor core's instructions, as functions of a warp, and the three formats of numbers that
/// they multiply here.
///
/// A warp owns a small matrix together: no lane has all of it, each has a few numbers in registers.
/// A lane's share is a *fragment*. With g = lane / 4 and t = lane % 4 a lane has
///
///     A   16 rows of 32 bytes    registers 0 and 2: row g, 1 and 3: row g + 8;
///                                0 and 1: bytes 4 t to 4 t + 3, 2 and 3: those 16 bytes further on
///     B   32 bytes by 8 columns  column g; register 0: bytes 4 t to 4 t + 3, 1: 16 bytes on
///     C   16 rows of 8 floats    0 and 1: row g, columns 2 t and 2 t + 1; 2 and 3: row g + 8
///
/// 32 bytes are 16 numbers of BF16 or FP16, or 8 of TF32: in bytes all three formats are alike.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define COURSE_OLDER_THAN_AMPERE  // its tensor cores have neither BF16 nor TF32
#endif

namespace tensor {

using FragmentA = std::uint32_t[4];
using FragmentB = std::uint32_t[2];
using FragmentC = float[4];

/// 8 bits of precision, the exponent range of a float.
struct Bf16 {
  using Element = __nv_bfloat16;
};
/// 11 bits of precision, but exponents for 6e-8 to 65,504 only.
struct Fp16 {
  using Element = __half;
};
/// 11 bits of precision, the exponent range of a float, stored in a float. `rounds`: a float is
/// rounded to that. Otherwise the tensor core takes it as it is, and ignores the last 13 bits: they
/// are truncated.
template <bool rounds_>
struct Tf32 {
  using Element = float;
  static constexpr bool rounds = rounds_;
};

/// Four matrices of 8 rows of 16 bytes from shared memory. Lane l gives the address of row l % 8 of
/// matrix l / 8. From each matrix a lane gets the 4 bytes numbered t in row g.
inline __device__ void load_matrices(std::uint32_t (&to)[4], const void* row) {
#ifndef COURSE_OLDER_THAN_AMPERE
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
#endif
}

/// The same, and each matrix is transposed as one of 8 x 8 numbers of 2 bytes: a lane gets numbers
/// 2 t and 2 t + 1 of column g.
inline __device__ void load_matrices_transposed(std::uint32_t (&to)[4], const void* row) {
#ifndef COURSE_OLDER_THAN_AMPERE
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
#endif
}

/// C += A B, of 16 x 8 sums with 16 terms each.
inline __device__ void multiply(Bf16, FragmentC& c, const FragmentA& a, const FragmentB& b) {
#ifndef COURSE_OLDER_THAN_AMPERE
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// The same with halves.
inline __device__ void multiply(Fp16, FragmentC& c, const FragmentA& a, const FragmentB& b) {
#ifndef COURSE_OLDER_THAN_AMPERE
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// C += A B, with 8 terms each.
template <bool rounds>
__device__ void multiply(Tf32<rounds>, FragmentC& c, const FragmentA& a, const FragmentB& b) {
#ifndef COURSE_OLDER_THAN_AMPERE
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/// A float's bits, rounded to the nearest number of TF32; ties away from 0. Half a unit of the last
/// of the 11 bits is added, and the tensor core truncates. (`cvt.rna.tf32.f32` also clears these
/// bits; nvcc 13 makes five instructions of it on sm_90, and two of this.) Infinities stay.
inline __device__ std::uint32_t rounded_to_tf32(std::uint32_t bits) {
  const bool finite = fabsf(__uint_as_float(bits)) < __uint_as_float(0x7F800000U);
  return finite ? bits + 0x1000U : bits;
}

/// Rounds a fragment of floats; numbers of 2 bytes stay as they are.
template <class T, int count>
__device__ void round_fragment(std::uint32_t (&fragment)[count]) {
  if constexpr (requires { T::rounds; }) {
    if constexpr (T::rounds) {
#pragma unroll
      for (int i = 0; i < count; ++i) fragment[i] = rounded_to_tf32(fragment[i]);
    }
  }
}

}  // namespace tensor
