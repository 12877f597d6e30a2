#pragma once
/// \file
/// The products of warpgroups that are recorded: of each type of numbers an instruction of each
/// width, and each in another of its forms, so that all forms come up.

#include <cstdint>

#include "group_instructions.cuh"
#include "numbers.cuh"

namespace matrices {

#define MATRICES_BF16(n, count, in_registers, turns_a, turns_b, a_by, b_by)                 \
  MATRICES_GROUP_PRODUCT(bf16_f32, n, count, float, "+f", bfloat16_format, bfloat16_format, \
                         float_format, in_registers, turns_a, turns_b, "k16.f32.bf16.bf16", \
                         MATRICES_A_NAME_##in_registers, MATRICES_A_##in_registers,         \
                         ", " #a_by ", " #b_by MATRICES_TURNS_##in_registers(turns_a, turns_b))
#define MATRICES_F16(n, count, in_registers, turns_a, turns_b, a_by, b_by)                       \
  MATRICES_GROUP_PRODUCT(f16_f32, n, count, float, "+f", half_format, half_format, float_format, \
                         in_registers, turns_a, turns_b, "k16.f32.f16.f16",                      \
                         MATRICES_A_NAME_##in_registers, MATRICES_A_##in_registers,              \
                         ", " #a_by ", " #b_by MATRICES_TURNS_##in_registers(turns_a, turns_b))
#define MATRICES_F16_F16(n, count, in_registers, turns_a, turns_b, a_by, b_by)             \
  MATRICES_GROUP_PRODUCT(f16_f16, n, count, std::uint32_t, "+r", half_format, half_format, \
                         half_format, in_registers, turns_a, turns_b, "k16.f16.f16.f16",   \
                         MATRICES_A_NAME_##in_registers, MATRICES_A_##in_registers,        \
                         ", " #a_by ", " #b_by MATRICES_TURNS_##in_registers(turns_a, turns_b))
#define MATRICES_TF32(n, count, in_registers, a_by, b_by)                                         \
  MATRICES_GROUP_PRODUCT(tf32_f32, n, count, float, "+f", tf32_format, tf32_format, float_format, \
                         in_registers, 0, 0, "k8.f32.tf32.tf32", MATRICES_A_NAME_##in_registers,  \
                         MATRICES_A_##in_registers, ", " #a_by ", " #b_by)
#define MATRICES_INTEGERS(n, count, in_registers, of_a, of_b, saturates)                         \
  MATRICES_GROUP_PRODUCT(integers, n, count, std::uint32_t, "+r", of_a, of_b, s32, in_registers, \
                         0, 0, "k32.s32." #of_a "." #of_b saturates,                             \
                         MATRICES_A_NAME_##in_registers, MATRICES_A_##in_registers, "")

template <unsigned n>
struct bf16_f32;
template <unsigned n>
struct f16_f32;
template <unsigned n>
struct f16_f16;
template <unsigned n>
struct tf32_f32;
template <unsigned n>
struct integers;

// n; registers of D; whether A is in registers; whether A and B are transposed, and by what they
// are multiplied.
// clang-format off
MATRICES_BF16(8, 4, 0, 0, 0, 1, 1)
MATRICES_BF16(16, 8, 0, 1, 1, -1, 1)
MATRICES_BF16(24, 12, 0, 0, 1, -1, -1)
MATRICES_BF16(32, 16, 1, 0, 1, 1, -1)
MATRICES_BF16(40, 20, 0, 0, 0, -1, 1)
MATRICES_BF16(48, 24, 0, 1, 1, 1, -1)
MATRICES_BF16(56, 28, 1, 0, 0, -1, 1)
MATRICES_BF16(64, 32, 0, 1, 0, 1, 1)
MATRICES_BF16(72, 36, 0, 0, 0, 1, -1)
MATRICES_BF16(80, 40, 0, 1, 1, -1, -1)
MATRICES_BF16(88, 44, 1, 0, 0, -1, -1)
MATRICES_BF16(96, 48, 0, 1, 0, -1, 1)
MATRICES_BF16(104, 52, 0, 0, 0, -1, -1)
MATRICES_BF16(112, 56, 1, 0, 1, -1, 1)
MATRICES_BF16(120, 60, 0, 0, 1, 1, 1)
MATRICES_BF16(128, 64, 0, 1, 0, 1, -1)
MATRICES_BF16(136, 68, 1, 0, 0, 1, 1)
MATRICES_BF16(144, 72, 1, 0, 1, -1, -1)
MATRICES_BF16(152, 76, 0, 0, 1, -1, 1)
MATRICES_BF16(160, 80, 0, 1, 0, -1, -1)
MATRICES_BF16(168, 84, 1, 0, 0, 1, -1)
MATRICES_BF16(176, 88, 0, 1, 1, 1, 1)
MATRICES_BF16(184, 92, 0, 0, 1, 1, -1)
MATRICES_BF16(192, 96, 1, 0, 1, 1, 1)
MATRICES_BF16(200, 100, 0, 0, 0, 1, 1)
MATRICES_BF16(208, 104, 0, 1, 1, -1, 1)
MATRICES_BF16(216, 108, 0, 0, 1, -1, -1)
MATRICES_BF16(224, 112, 1, 0, 1, 1, -1)
MATRICES_BF16(232, 116, 0, 0, 0, -1, 1)
MATRICES_BF16(240, 120, 0, 1, 1, 1, -1)
MATRICES_BF16(248, 124, 1, 0, 0, -1, 1)
MATRICES_BF16(256, 128, 0, 1, 0, 1, 1)
MATRICES_F16(8, 4, 1, 0, 1, 1, 1)
MATRICES_F16(16, 8, 0, 0, 0, 1, 1)
MATRICES_F16(24, 12, 0, 1, 1, -1, 1)
MATRICES_F16(32, 16, 0, 0, 1, -1, -1)
MATRICES_F16(40, 20, 1, 0, 1, 1, -1)
MATRICES_F16(48, 24, 0, 0, 0, -1, 1)
MATRICES_F16(56, 28, 0, 1, 1, 1, -1)
MATRICES_F16(64, 32, 1, 0, 0, -1, 1)
MATRICES_F16(72, 36, 0, 1, 0, 1, 1)
MATRICES_F16(80, 40, 0, 0, 0, 1, -1)
MATRICES_F16(88, 44, 0, 1, 1, -1, -1)
MATRICES_F16(96, 48, 1, 0, 0, -1, -1)
MATRICES_F16(104, 52, 0, 1, 0, -1, 1)
MATRICES_F16(112, 56, 0, 0, 0, -1, -1)
MATRICES_F16(120, 60, 1, 0, 1, -1, 1)
MATRICES_F16(128, 64, 0, 0, 1, 1, 1)
MATRICES_F16(136, 68, 0, 1, 0, 1, -1)
MATRICES_F16(144, 72, 1, 0, 0, 1, 1)
MATRICES_F16(152, 76, 1, 0, 1, -1, -1)
MATRICES_F16(160, 80, 0, 0, 1, -1, 1)
MATRICES_F16(168, 84, 0, 1, 0, -1, -1)
MATRICES_F16(176, 88, 1, 0, 0, 1, -1)
MATRICES_F16(184, 92, 0, 1, 1, 1, 1)
MATRICES_F16(192, 96, 0, 0, 1, 1, -1)
MATRICES_F16(200, 100, 1, 0, 1, 1, 1)
MATRICES_F16(208, 104, 0, 0, 0, 1, 1)
MATRICES_F16(216, 108, 0, 1, 1, -1, 1)
MATRICES_F16(224, 112, 0, 0, 1, -1, -1)
MATRICES_F16(232, 116, 1, 0, 1, 1, -1)
MATRICES_F16(240, 120, 0, 0, 0, -1, 1)
MATRICES_F16(248, 124, 0, 1, 1, 1, -1)
MATRICES_F16(256, 128, 1, 0, 0, -1, 1)
MATRICES_F16_F16(8, 2, 0, 1, 1, 1, -1)
MATRICES_F16_F16(16, 4, 1, 0, 0, -1, 1)
MATRICES_F16_F16(24, 6, 0, 1, 0, 1, 1)
MATRICES_F16_F16(32, 8, 0, 0, 0, 1, -1)
MATRICES_F16_F16(40, 10, 0, 1, 1, -1, -1)
MATRICES_F16_F16(48, 12, 1, 0, 0, -1, -1)
MATRICES_F16_F16(56, 14, 0, 1, 0, -1, 1)
MATRICES_F16_F16(64, 16, 0, 0, 0, -1, -1)
MATRICES_F16_F16(72, 18, 1, 0, 1, -1, 1)
MATRICES_F16_F16(80, 20, 0, 0, 1, 1, 1)
MATRICES_F16_F16(88, 22, 0, 1, 0, 1, -1)
MATRICES_F16_F16(96, 24, 1, 0, 0, 1, 1)
MATRICES_F16_F16(104, 26, 1, 0, 1, -1, -1)
MATRICES_F16_F16(112, 28, 0, 0, 1, -1, 1)
MATRICES_F16_F16(120, 30, 0, 1, 0, -1, -1)
MATRICES_F16_F16(128, 32, 1, 0, 0, 1, -1)
MATRICES_F16_F16(136, 34, 0, 1, 1, 1, 1)
MATRICES_F16_F16(144, 36, 0, 0, 1, 1, -1)
MATRICES_F16_F16(152, 38, 1, 0, 1, 1, 1)
MATRICES_F16_F16(160, 40, 0, 0, 0, 1, 1)
MATRICES_F16_F16(168, 42, 0, 1, 1, -1, 1)
MATRICES_F16_F16(176, 44, 0, 0, 1, -1, -1)
MATRICES_F16_F16(184, 46, 1, 0, 1, 1, -1)
MATRICES_F16_F16(192, 48, 0, 0, 0, -1, 1)
MATRICES_F16_F16(200, 50, 0, 1, 1, 1, -1)
MATRICES_F16_F16(208, 52, 1, 0, 0, -1, 1)
MATRICES_F16_F16(216, 54, 0, 1, 0, 1, 1)
MATRICES_F16_F16(224, 56, 0, 0, 0, 1, -1)
MATRICES_F16_F16(232, 58, 0, 1, 1, -1, -1)
MATRICES_F16_F16(240, 60, 1, 0, 0, -1, -1)
MATRICES_F16_F16(248, 62, 0, 1, 0, -1, 1)
MATRICES_F16_F16(256, 64, 0, 0, 0, -1, -1)
MATRICES_TF32(8, 4, 0, 1, 1)
MATRICES_TF32(16, 8, 1, -1, 1)
MATRICES_TF32(24, 12, 0, -1, -1)
MATRICES_TF32(32, 16, 1, 1, 1)
MATRICES_TF32(40, 20, 0, 1, -1)
MATRICES_TF32(48, 24, 1, -1, -1)
MATRICES_TF32(56, 28, 0, -1, 1)
MATRICES_TF32(64, 32, 1, 1, -1)
MATRICES_TF32(72, 36, 0, 1, 1)
MATRICES_TF32(80, 40, 1, -1, 1)
MATRICES_TF32(88, 44, 0, -1, -1)
MATRICES_TF32(96, 48, 1, 1, 1)
MATRICES_TF32(104, 52, 0, 1, -1)
MATRICES_TF32(112, 56, 1, -1, -1)
MATRICES_TF32(120, 60, 0, -1, 1)
MATRICES_TF32(128, 64, 1, 1, -1)
MATRICES_TF32(136, 68, 0, 1, 1)
MATRICES_TF32(144, 72, 1, -1, 1)
MATRICES_TF32(152, 76, 0, -1, -1)
MATRICES_TF32(160, 80, 1, 1, 1)
MATRICES_TF32(168, 84, 0, 1, -1)
MATRICES_TF32(176, 88, 1, -1, -1)
MATRICES_TF32(184, 92, 0, -1, 1)
MATRICES_TF32(192, 96, 1, 1, -1)
MATRICES_TF32(200, 100, 0, 1, 1)
MATRICES_TF32(208, 104, 1, -1, 1)
MATRICES_TF32(216, 108, 0, -1, -1)
MATRICES_TF32(224, 112, 1, 1, 1)
MATRICES_TF32(232, 116, 0, 1, -1)
MATRICES_TF32(240, 120, 1, -1, -1)
MATRICES_TF32(248, 124, 0, -1, 1)
MATRICES_TF32(256, 128, 1, 1, -1)
MATRICES_INTEGERS(8, 4, 0, s8, s8, "")
MATRICES_INTEGERS(16, 8, 1, s8, u8, "")
MATRICES_INTEGERS(24, 12, 0, u8, s8, ".satfinite")
MATRICES_INTEGERS(32, 16, 1, u8, u8, ".satfinite")
MATRICES_INTEGERS(48, 24, 0, s8, u8, "")
MATRICES_INTEGERS(64, 32, 1, s8, s8, ".satfinite")
MATRICES_INTEGERS(80, 40, 0, u8, u8, ".satfinite")
MATRICES_INTEGERS(96, 48, 1, u8, s8, "")
MATRICES_INTEGERS(112, 56, 0, s8, s8, ".satfinite")
MATRICES_INTEGERS(128, 64, 1, s8, u8, ".satfinite")
MATRICES_INTEGERS(144, 72, 0, u8, s8, "")
MATRICES_INTEGERS(160, 80, 1, u8, u8, "")
MATRICES_INTEGERS(176, 88, 0, s8, u8, ".satfinite")
MATRICES_INTEGERS(192, 96, 1, s8, s8, "")
MATRICES_INTEGERS(208, 104, 0, u8, u8, "")
MATRICES_INTEGERS(224, 112, 1, u8, s8, ".satfinite")
MATRICES_INTEGERS(240, 120, 0, s8, s8, "")
MATRICES_INTEGERS(256, 128, 1, s8, u8, "")
// clang-format on

}  // namespace matrices
