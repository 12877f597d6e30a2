#pragma once
/// \file
/// The products that are recorded besides those of series.cuh: of tiny numbers, of numbers of 8
/// bits, in quads, and with a sparse A.

#include <cstdint>

#include "further_numbers.cuh"

namespace matrices {

/// How the operands are spread over the lanes.
enum class Form : unsigned { dense, quads, sparse, sparse_ordered };

/// A lane's registers, as many as any instruction has.
struct Registers {
  std::uint32_t a[4];
  std::uint32_t b[4];
  std::uint32_t c[8];
  std::uint32_t metadata;
  unsigned selector;
};

// What the assembler calls the registers: D, which is C as well; A and B after it, by how many
// there are of each; and the metadata.
#define MATRICES_D_2 "{%0, %1}"
#define MATRICES_D_4 "{%0, %1, %2, %3}"
#define MATRICES_D_8 "{%0, %1, %2, %3, %4, %5, %6, %7}"
#define MATRICES_AB_2_21 "{%2, %3}, {%4}"
#define MATRICES_AB_2_22 "{%2, %3}, {%4, %5}"
#define MATRICES_AB_2_42 "{%2, %3, %4, %5}, {%6, %7}"
#define MATRICES_AB_2_44 "{%2, %3, %4, %5}, {%6, %7, %8, %9}"
#define MATRICES_AB_4_21 "{%4, %5}, {%6}"
#define MATRICES_AB_4_22 "{%4, %5}, {%6, %7}"
#define MATRICES_AB_4_42 "{%4, %5, %6, %7}, {%8, %9}"
#define MATRICES_AB_4_44 "{%4, %5, %6, %7}, {%8, %9, %10, %11}"
#define MATRICES_AB_8_22 "{%8, %9}, {%10, %11}"
#define MATRICES_E_2_22 "%6"
#define MATRICES_E_2_44 "%10"
#define MATRICES_E_4_22 "%8"
#define MATRICES_E_4_44 "%12"
#define MATRICES_OUT_2(as, c) as(c[0]), as(c[1])
#define MATRICES_OUT_4(as, c) MATRICES_OUT_2(as, c), as(c[2]), as(c[3])
#define MATRICES_OUT_8(as, c) MATRICES_OUT_4(as, c), as(c[4]), as(c[5]), as(c[6]), as(c[7])
#define MATRICES_IN_21(r) "r"(r.a[0]), "r"(r.a[1]), "r"(r.b[0])
#define MATRICES_IN_22(r) MATRICES_IN_21(r), "r"(r.b[1])
#define MATRICES_IN_42(r) \
  "r"(r.a[0]), "r"(r.a[1]), "r"(r.a[2]), "r"(r.a[3]), "r"(r.b[0]), "r"(r.b[1])
#define MATRICES_IN_44(r) MATRICES_IN_42(r), "r"(r.b[2]), "r"(r.b[3])

inline __device__ void set_number(float& number, std::uint32_t word) {
  number = __uint_as_float(word);
}
inline __device__ void set_number(std::uint32_t& number, std::uint32_t word) {
  number = word;
}
inline __device__ std::uint32_t word_of(float number) {
  return __float_as_uint(number);
}
inline __device__ std::uint32_t word_of(std::uint32_t number) {
  return number;
}

#define MATRICES_AS_FLOAT(x) "+f"(x)
#define MATRICES_AS_WORD(x) "+r"(x)

#define MATRICES_ASM(instruction, as, d, ab)                                                  \
  asm volatile("mma.sync.aligned." instruction " " MATRICES_D_##d ", " MATRICES_AB_##d##_##ab \
               ", " MATRICES_D_##d ";"                                                        \
               : MATRICES_OUT_##d(as, c)                                                      \
               : MATRICES_IN_##ab(r))
#define MATRICES_SPARSE_ASM(name, as, d, ab, selector)                                 \
  asm volatile(name " " MATRICES_D_##d ", " MATRICES_AB_##d##_##ab ", " MATRICES_D_##d \
               ", " MATRICES_E_##d##_##ab ", " selector ";"                            \
               : MATRICES_OUT_##d(as, c)                                               \
               : MATRICES_IN_##ab(r), "r"(r.metadata))
// The selector is part of the instruction: those that there are.
#define MATRICES_SPARSE_1(name, as, d, ab) MATRICES_SPARSE_ASM(name, as, d, ab, "0x0")
#define MATRICES_SPARSE_2(name, as, d, ab)       \
  if (r.selector == 0) {                         \
    MATRICES_SPARSE_ASM(name, as, d, ab, "0x0"); \
  } else {                                       \
    MATRICES_SPARSE_ASM(name, as, d, ab, "0x1"); \
  }
#define MATRICES_SPARSE_4(name, as, d, ab)       \
  if (r.selector == 0) {                         \
    MATRICES_SPARSE_ASM(name, as, d, ab, "0x0"); \
  } else if (r.selector == 1) {                  \
    MATRICES_SPARSE_ASM(name, as, d, ab, "0x1"); \
  } else if (r.selector == 2) {                  \
    MATRICES_SPARSE_ASM(name, as, d, ab, "0x2"); \
  } else {                                       \
    MATRICES_SPARSE_ASM(name, as, d, ab, "0x3"); \
  }

// A series: its name; form and numbers; k; the formats of A, B and D; the C++ type of D's
// registers, and how many of D, and of A and B, there are; and what multiplies.
#define MATRICES_SERIES(Name, form_, numbers_, k_, of_a, of_b, of_d, Number, d, ...) \
  struct Name {                                                                      \
    static constexpr const char* name = #Name;                                       \
    static constexpr Form form = Form::form_;                                        \
    static constexpr Numbers numbers = Numbers::numbers_;                            \
    static constexpr unsigned k = k_;                                                \
    static constexpr auto a_format = of_a;                                           \
    static constexpr auto b_format = of_b;                                           \
    static constexpr auto d_format = of_d;                                           \
    static constexpr bool a_by_columns = false, b_by_rows = false;                   \
    static __device__ void multiply(Registers& r) {                                  \
      Number c[d];                                                                   \
      for (unsigned i = 0; i < d; ++i) set_number(c[i], r.c[i]);                     \
      __VA_ARGS__;                                                                   \
      for (unsigned i = 0; i < d; ++i) r.c[i] = word_of(c[i]);                       \
    }                                                                                \
  };
#define MATRICES_TO_FLOAT(Name, numbers_, k_, of_a, of_b, ab, instruction)       \
  MATRICES_SERIES(Name, dense, numbers_, k_, of_a, of_b, float_format, float, 4, \
                  MATRICES_ASM(instruction, MATRICES_AS_FLOAT, 4, ab))
#define MATRICES_TO_HALF(Name, numbers_, k_, of_a, of_b, ab, instruction)               \
  MATRICES_SERIES(Name, dense, numbers_, k_, of_a, of_b, half_format, std::uint32_t, 2, \
                  MATRICES_ASM(instruction, MATRICES_AS_WORD, 2, ab))

MATRICES_TO_FLOAT(tiny_f16_f32_k8, tiny, 8, half_format, half_format, 21,
                  "m16n8k8.row.col.f32.f16.f16.f32")
MATRICES_TO_FLOAT(tiny_f16_f32_k16, tiny, 16, half_format, half_format, 42,
                  "m16n8k16.row.col.f32.f16.f16.f32")
MATRICES_TO_HALF(tiny_f16_f16_k8, tiny, 8, half_format, half_format, 21,
                 "m16n8k8.row.col.f16.f16.f16.f16")
MATRICES_TO_HALF(tiny_f16_f16_k16, tiny, 16, half_format, half_format, 42,
                 "m16n8k16.row.col.f16.f16.f16.f16")
MATRICES_TO_FLOAT(tiny_bf16_k8, tiny, 8, bfloat16_format, bfloat16_format, 21,
                  "m16n8k8.row.col.f32.bf16.bf16.f32")
MATRICES_TO_FLOAT(tiny_bf16_k16, tiny, 16, bfloat16_format, bfloat16_format, 42,
                  "m16n8k16.row.col.f32.bf16.bf16.f32")
MATRICES_TO_FLOAT(tiny_tf32_k4, tiny, 4, tf32_format, tf32_format, 21,
                  "m16n8k4.row.col.f32.tf32.tf32.f32")
MATRICES_TO_FLOAT(tiny_tf32_k8, tiny, 8, tf32_format, tf32_format, 42,
                  "m16n8k8.row.col.f32.tf32.tf32.f32")

#define MATRICES_BYTES(a, b)                                                  \
  MATRICES_TO_FLOAT(a##_##b##_f32_k16, bytes, 16, a##_format, b##_format, 21, \
                    "m16n8k16.row.col.f32." #a "." #b ".f32")                 \
  MATRICES_TO_HALF(a##_##b##_f16_k16, bytes, 16, a##_format, b##_format, 21,  \
                   "m16n8k16.row.col.f16." #a "." #b ".f16")                  \
  MATRICES_TO_FLOAT(a##_##b##_f32_k32, bytes, 32, a##_format, b##_format, 42, \
                    "m16n8k32.row.col.f32." #a "." #b ".f32")                 \
  MATRICES_TO_HALF(a##_##b##_f16_k32, bytes, 32, a##_format, b##_format, 42,  \
                   "m16n8k32.row.col.f16." #a "." #b ".f16")
MATRICES_BYTES(e4m3, e4m3)
MATRICES_BYTES(e4m3, e5m2)
MATRICES_BYTES(e5m2, e4m3)
MATRICES_BYTES(e5m2, e5m2)

// Four products of 8 x 8 x 4, in each of the layouts, from which their names are. A base class has
// what a series of them has in common.
#define MATRICES_QUADS(Name, numbers_, layouts, by_columns, by_rows)                            \
  MATRICES_SERIES(Name##_f32_base, quads, numbers_, 4, half_format, half_format, float_format,  \
                  float, 8,                                                                     \
                  MATRICES_ASM("m8n8k4." layouts ".f32.f16.f16.f32", MATRICES_AS_FLOAT, 8, 22)) \
  MATRICES_SERIES(Name##_f16_base, quads, numbers_, 4, half_format, half_format, half_format,   \
                  std::uint32_t, 4,                                                             \
                  MATRICES_ASM("m8n8k4." layouts ".f16.f16.f16.f16", MATRICES_AS_WORD, 4, 22))  \
  struct Name##_f32 : Name##_f32_base {                                                         \
    static constexpr const char* name = #Name "_f32";                                           \
    static constexpr bool a_by_columns = by_columns, b_by_rows = by_rows;                       \
  };                                                                                            \
  struct Name##_f16 : Name##_f16_base {                                                         \
    static constexpr const char* name = #Name "_f16";                                           \
    static constexpr bool a_by_columns = by_columns, b_by_rows = by_rows;                       \
  };
MATRICES_QUADS(quads_row_col, ordinary, "row.col", false, false)
MATRICES_QUADS(quads_row_row, ordinary, "row.row", false, true)
MATRICES_QUADS(quads_col_col, ordinary, "col.col", true, false)
MATRICES_QUADS(quads_col_row, ordinary, "col.row", true, true)
MATRICES_QUADS(tiny_quads, tiny, "row.col", false, false)

#define MATRICES_ORDERED "mma.sp::ordered_metadata.sync.aligned."
#define MATRICES_SPARSE_FLOAT(Name, form_, numbers_, k_, of_a, of_b, ab, count, name_) \
  MATRICES_SERIES(Name, form_, numbers_, k_, of_a, of_b, float_format, float, 4,       \
                  MATRICES_SPARSE_##count(name_, MATRICES_AS_FLOAT, 4, ab))
#define MATRICES_SPARSE_HALF(Name, form_, numbers_, k_, of_a, of_b, ab, count, name_)   \
  MATRICES_SERIES(Name, form_, numbers_, k_, of_a, of_b, half_format, std::uint32_t, 2, \
                  MATRICES_SPARSE_##count(name_, MATRICES_AS_WORD, 2, ab))
#define MATRICES_SPARSE_INTEGER(Name, form_, numbers_, k_, of_a, of_b, ab, count, name_) \
  MATRICES_SERIES(Name, form_, numbers_, k_, of_a, of_b, s32, std::uint32_t, 4,          \
                  MATRICES_SPARSE_##count(name_, MATRICES_AS_WORD, 4, ab))

MATRICES_SPARSE_FLOAT(sparse_f16_f32_k16, sparse_ordered, ordinary, 16, half_format, half_format,
                      22, 4, MATRICES_ORDERED "m16n8k16.row.col.f32.f16.f16.f32")
MATRICES_SPARSE_FLOAT(sparse_f16_f32_k32, sparse_ordered, ordinary, 32, half_format, half_format,
                      44, 2, MATRICES_ORDERED "m16n8k32.row.col.f32.f16.f16.f32")
MATRICES_SPARSE_HALF(sparse_f16_f16_k16, sparse_ordered, ordinary, 16, half_format, half_format, 22,
                     4, MATRICES_ORDERED "m16n8k16.row.col.f16.f16.f16.f16")
MATRICES_SPARSE_HALF(sparse_f16_f16_k32, sparse_ordered, ordinary, 32, half_format, half_format, 44,
                     2, MATRICES_ORDERED "m16n8k32.row.col.f16.f16.f16.f16")
MATRICES_SPARSE_FLOAT(sparse_f16_f32_k32_unordered, sparse, ordinary, 32, half_format, half_format,
                      44, 2, "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32")
MATRICES_SPARSE_FLOAT(sparse_bf16_k16, sparse_ordered, ordinary, 16, bfloat16_format,
                      bfloat16_format, 22, 4, MATRICES_ORDERED "m16n8k16.row.col.f32.bf16.bf16.f32")
MATRICES_SPARSE_FLOAT(sparse_bf16_k32, sparse_ordered, ordinary, 32, bfloat16_format,
                      bfloat16_format, 44, 2, MATRICES_ORDERED "m16n8k32.row.col.f32.bf16.bf16.f32")
MATRICES_SPARSE_FLOAT(sparse_tf32_k8, sparse_ordered, ordinary, 8, tf32_format, tf32_format, 22, 4,
                      MATRICES_ORDERED "m16n8k8.row.col.f32.tf32.tf32.f32")
MATRICES_SPARSE_FLOAT(sparse_tf32_k16, sparse_ordered, ordinary, 16, tf32_format, tf32_format, 44,
                      2, MATRICES_ORDERED "m16n8k16.row.col.f32.tf32.tf32.f32")
MATRICES_SPARSE_INTEGER(sparse_s8_k32, sparse_ordered, ordinary, 32, s8, s8, 22, 2,
                        MATRICES_ORDERED "m16n8k32.row.col.s32.s8.s8.s32")
MATRICES_SPARSE_INTEGER(sparse_s8_k64, sparse_ordered, ordinary, 64, s8, s8, 44, 1,
                        MATRICES_ORDERED "m16n8k64.row.col.s32.s8.s8.s32")
MATRICES_SPARSE_INTEGER(sparse_u8_s8_k64, sparse_ordered, ordinary, 64, u8, s8, 44, 1,
                        MATRICES_ORDERED "m16n8k64.row.col.satfinite.s32.u8.s8.s32")
MATRICES_SPARSE_INTEGER(sparse_s8_k64_unordered, sparse, ordinary, 64, s8, s8, 44, 1,
                        "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32")
MATRICES_SPARSE_INTEGER(sparse_s4_k64, sparse_ordered, ordinary, 64, s4, s4, 22, 2,
                        MATRICES_ORDERED "m16n8k64.row.col.s32.s4.s4.s32")
MATRICES_SPARSE_INTEGER(sparse_s4_k128, sparse_ordered, ordinary, 128, s4, s4, 44, 1,
                        MATRICES_ORDERED "m16n8k128.row.col.s32.s4.s4.s32")
// None of them is to FP16.
#define MATRICES_SPARSE_BYTES(a, b)                                                                \
  MATRICES_SPARSE_FLOAT(sparse_##a##_##b##_f32, sparse_ordered, bytes, 64, a##_format, b##_format, \
                        44, 1, MATRICES_ORDERED "m16n8k64.row.col.f32." #a "." #b ".f32")
MATRICES_SPARSE_BYTES(e4m3, e4m3)
MATRICES_SPARSE_BYTES(e4m3, e5m2)
MATRICES_SPARSE_BYTES(e5m2, e4m3)
MATRICES_SPARSE_BYTES(e5m2, e5m2)

}  // namespace matrices
