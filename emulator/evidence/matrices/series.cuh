#pragma once
/// \file
/// The products that are recorded: one instruction each, with what it takes.

#include <cstdint>

#include "numbers.cuh"

namespace matrices {

/// Registers of 32 bits, but of double.
template <class Word, int a_count, int b_count, int c_count>
struct Fragments {
  Word a[a_count];
  Word b[b_count];
  Word c[c_count];
};

// A series has the shape and the formats of its instruction, and the instruction.
#define MATRICES_SERIES(Name, rows, inner, of_a, of_c, Word, a_count, b_count, c_count) \
  struct Name {                                                                         \
    static constexpr const char* name = #Name;                                          \
    static constexpr unsigned m = rows, n = 8, k = inner;                               \
    static constexpr Format inputs = of_a;                                              \
    static constexpr Format output = of_c;                                              \
    using Fragment = Fragments<Word, a_count, b_count, c_count>;                        \
    static __device__ void multiply(Fragment& f);                                       \
  };
MATRICES_SERIES(f16_f32_k8, 16, 8, half_format, float_format, std::uint32_t, 2, 1, 4)
MATRICES_SERIES(f16_f32_k16, 16, 16, half_format, float_format, std::uint32_t, 4, 2, 4)
MATRICES_SERIES(f16_f16_k8, 16, 8, half_format, half_format, std::uint32_t, 2, 1, 2)
MATRICES_SERIES(f16_f16_k16, 16, 16, half_format, half_format, std::uint32_t, 4, 2, 2)
MATRICES_SERIES(bf16_k8, 16, 8, bfloat16_format, float_format, std::uint32_t, 2, 1, 4)
MATRICES_SERIES(bf16_k16, 16, 16, bfloat16_format, float_format, std::uint32_t, 4, 2, 4)
MATRICES_SERIES(tf32_k4, 16, 4, tf32_format, float_format, std::uint32_t, 2, 1, 4)
MATRICES_SERIES(tf32_k8, 16, 8, tf32_format, float_format, std::uint32_t, 4, 2, 4)
MATRICES_SERIES(f64_m8_k4, 8, 4, double_format, double_format, std::uint64_t, 1, 1, 2)
MATRICES_SERIES(f64_k16, 16, 16, double_format, double_format, std::uint64_t, 8, 4, 4)
#undef MATRICES_SERIES

#define MATRICES_FLOATS(f) "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])

// With two registers of A, or with four; floats come out.
#define MATRICES_TO_FLOAT_2(Name, instruction)                  \
  __device__ inline void Name::multiply(Fragment& f) {          \
    float c[4];                                                 \
    for (int i = 0; i < 4; ++i) c[i] = __uint_as_float(f.c[i]); \
    asm volatile("mma.sync.aligned." instruction                \
                 " {%0, %1, %2, %3}, {%4, %5}, {%6}, "          \
                 "{%0, %1, %2, %3};"                            \
                 : MATRICES_FLOATS(c)                           \
                 : "r"(f.a[0]), "r"(f.a[1]), "r"(f.b[0]));      \
    for (int i = 0; i < 4; ++i) f.c[i] = __float_as_uint(c[i]); \
  }
#define MATRICES_TO_FLOAT_4(Name, instruction)                                                    \
  __device__ inline void Name::multiply(Fragment& f) {                                            \
    float c[4];                                                                                   \
    for (int i = 0; i < 4; ++i) c[i] = __uint_as_float(f.c[i]);                                   \
    asm volatile("mma.sync.aligned." instruction                                                  \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, "                                          \
                 "{%8, %9}, {%0, %1, %2, %3};"                                                    \
                 : MATRICES_FLOATS(c)                                                             \
                 : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "r"(f.b[0]), "r"(f.b[1])); \
    for (int i = 0; i < 4; ++i) f.c[i] = __float_as_uint(c[i]);                                   \
  }
MATRICES_TO_FLOAT_2(f16_f32_k8, "m16n8k8.row.col.f32.f16.f16.f32")
MATRICES_TO_FLOAT_4(f16_f32_k16, "m16n8k16.row.col.f32.f16.f16.f32")
MATRICES_TO_FLOAT_2(bf16_k8, "m16n8k8.row.col.f32.bf16.bf16.f32")
MATRICES_TO_FLOAT_4(bf16_k16, "m16n8k16.row.col.f32.bf16.bf16.f32")
MATRICES_TO_FLOAT_2(tf32_k4, "m16n8k4.row.col.f32.tf32.tf32.f32")
MATRICES_TO_FLOAT_4(tf32_k8, "m16n8k8.row.col.f32.tf32.tf32.f32")
#undef MATRICES_TO_FLOAT_4
#undef MATRICES_TO_FLOAT_2
#undef MATRICES_FLOATS

__device__ inline void f16_f16_k8::multiply(Fragment& f) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
      : "+r"(f.c[0]), "+r"(f.c[1])
      : "r"(f.a[0]), "r"(f.a[1]), "r"(f.b[0]));
}

__device__ inline void f16_f16_k16::multiply(Fragment& f) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, "
      "{%0, %1};"
      : "+r"(f.c[0]), "+r"(f.c[1])
      : "r"(f.a[0]), "r"(f.a[1]), "r"(f.a[2]), "r"(f.a[3]), "r"(f.b[0]), "r"(f.b[1]));
}

__device__ inline double as_double(std::uint64_t bits) {
  return __longlong_as_double(static_cast<long long>(bits));
}

__device__ inline void f64_m8_k4::multiply(Fragment& f) {
  double c[2] = {as_double(f.c[0]), as_double(f.c[1])};
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(c[0]), "+d"(c[1])
               : "d"(as_double(f.a[0])), "d"(as_double(f.b[0])));
  for (int i = 0; i < 2; ++i) f.c[i] = static_cast<std::uint64_t>(__double_as_longlong(c[i]));
}

__device__ inline void f64_k16::multiply(Fragment& f) {
  double a[8];
  double b[4];
  double c[4];
  for (int i = 0; i < 8; ++i) a[i] = as_double(f.a[i]);
  for (int i = 0; i < 4; ++i) b[i] = as_double(f.b[i]);
  for (int i = 0; i < 4; ++i) c[i] = as_double(f.c[i]);
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, "
      "{%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
        "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
  for (int i = 0; i < 4; ++i) f.c[i] = static_cast<std::uint64_t>(__double_as_longlong(c[i]));
}

}  // namespace matrices
