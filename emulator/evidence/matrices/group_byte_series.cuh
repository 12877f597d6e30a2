#pragma once
/// \file
/// The same as group_series.cuh of floating-point numbers of 8 bits, whose sums have fewer places.

#include <cstdint>

#include "group_instructions.cuh"
#include "numbers.cuh"

namespace matrices {

#define MATRICES_BYTES_F32(n, count, in_registers, of_a, of_b, a_by, b_by)                         \
  MATRICES_GROUP_PRODUCT(bytes_f32, n, count, float, "+f", of_a, of_b, float_format, in_registers, \
                         0, 0, "k32.f32." #of_a "." #of_b, MATRICES_A_NAME_##in_registers,         \
                         MATRICES_A_##in_registers, ", " #a_by ", " #b_by)
#define MATRICES_BYTES_F16(n, count, in_registers, of_a, of_b, a_by, b_by)                  \
  MATRICES_GROUP_PRODUCT(bytes_f16, n, count, std::uint32_t, "+r", of_a, of_b, half_format, \
                         in_registers, 0, 0, "k32.f16." #of_a "." #of_b,                    \
                         MATRICES_A_NAME_##in_registers, MATRICES_A_##in_registers,         \
                         ", " #a_by ", " #b_by)

template <unsigned n>
struct bytes_f32;
template <unsigned n>
struct bytes_f16;

// n; registers of D; whether A is in registers; formats of A and B, and by what they are
// multiplied.
// clang-format off
MATRICES_BYTES_F32(8, 4, 0, e4m3, e4m3, 1, 1)
MATRICES_BYTES_F32(16, 8, 0, e4m3, e5m2, 1, 1)
MATRICES_BYTES_F32(24, 12, 0, e5m2, e4m3, -1, 1)
MATRICES_BYTES_F32(32, 16, 0, e5m2, e5m2, -1, 1)
MATRICES_BYTES_F32(40, 20, 1, e4m3, e4m3, 1, -1)
MATRICES_BYTES_F32(48, 24, 1, e4m3, e5m2, 1, -1)
MATRICES_BYTES_F32(56, 28, 1, e5m2, e4m3, -1, -1)
MATRICES_BYTES_F32(64, 32, 1, e5m2, e5m2, -1, -1)
MATRICES_BYTES_F32(72, 36, 0, e4m3, e4m3, -1, 1)
MATRICES_BYTES_F32(80, 40, 0, e4m3, e5m2, -1, 1)
MATRICES_BYTES_F32(88, 44, 0, e5m2, e4m3, 1, -1)
MATRICES_BYTES_F32(96, 48, 0, e5m2, e5m2, 1, -1)
MATRICES_BYTES_F32(104, 52, 1, e4m3, e4m3, -1, -1)
MATRICES_BYTES_F32(112, 56, 1, e4m3, e5m2, -1, -1)
MATRICES_BYTES_F32(120, 60, 1, e5m2, e4m3, 1, 1)
MATRICES_BYTES_F32(128, 64, 1, e5m2, e5m2, 1, 1)
MATRICES_BYTES_F32(136, 68, 0, e4m3, e4m3, 1, -1)
MATRICES_BYTES_F32(144, 72, 0, e4m3, e5m2, 1, -1)
MATRICES_BYTES_F32(152, 76, 0, e5m2, e4m3, -1, -1)
MATRICES_BYTES_F32(160, 80, 0, e5m2, e5m2, -1, -1)
MATRICES_BYTES_F32(168, 84, 1, e4m3, e4m3, 1, 1)
MATRICES_BYTES_F32(176, 88, 1, e4m3, e5m2, 1, 1)
MATRICES_BYTES_F32(184, 92, 1, e5m2, e4m3, -1, 1)
MATRICES_BYTES_F32(192, 96, 1, e5m2, e5m2, -1, 1)
MATRICES_BYTES_F32(200, 100, 0, e4m3, e4m3, -1, -1)
MATRICES_BYTES_F32(208, 104, 0, e4m3, e5m2, -1, -1)
MATRICES_BYTES_F32(216, 108, 0, e5m2, e4m3, 1, 1)
MATRICES_BYTES_F32(224, 112, 0, e5m2, e5m2, 1, 1)
MATRICES_BYTES_F32(232, 116, 1, e4m3, e4m3, -1, 1)
MATRICES_BYTES_F32(240, 120, 1, e4m3, e5m2, -1, 1)
MATRICES_BYTES_F32(248, 124, 1, e5m2, e4m3, 1, -1)
MATRICES_BYTES_F32(256, 128, 1, e5m2, e5m2, 1, -1)
MATRICES_BYTES_F16(8, 2, 1, e4m3, e5m2, -1, 1)
MATRICES_BYTES_F16(16, 4, 1, e5m2, e4m3, -1, 1)
MATRICES_BYTES_F16(24, 6, 1, e5m2, e5m2, 1, -1)
MATRICES_BYTES_F16(32, 8, 1, e4m3, e4m3, 1, -1)
MATRICES_BYTES_F16(40, 10, 0, e4m3, e5m2, -1, -1)
MATRICES_BYTES_F16(48, 12, 0, e5m2, e4m3, -1, -1)
MATRICES_BYTES_F16(56, 14, 0, e5m2, e5m2, 1, 1)
MATRICES_BYTES_F16(64, 16, 0, e4m3, e4m3, 1, 1)
MATRICES_BYTES_F16(72, 18, 1, e4m3, e5m2, 1, -1)
MATRICES_BYTES_F16(80, 20, 1, e5m2, e4m3, 1, -1)
MATRICES_BYTES_F16(88, 22, 1, e5m2, e5m2, -1, -1)
MATRICES_BYTES_F16(96, 24, 1, e4m3, e4m3, -1, -1)
MATRICES_BYTES_F16(104, 26, 0, e4m3, e5m2, 1, 1)
MATRICES_BYTES_F16(112, 28, 0, e5m2, e4m3, 1, 1)
MATRICES_BYTES_F16(120, 30, 0, e5m2, e5m2, -1, 1)
MATRICES_BYTES_F16(128, 32, 0, e4m3, e4m3, -1, 1)
MATRICES_BYTES_F16(136, 34, 1, e4m3, e5m2, -1, -1)
MATRICES_BYTES_F16(144, 36, 1, e5m2, e4m3, -1, -1)
MATRICES_BYTES_F16(152, 38, 1, e5m2, e5m2, 1, 1)
MATRICES_BYTES_F16(160, 40, 1, e4m3, e4m3, 1, 1)
MATRICES_BYTES_F16(168, 42, 0, e4m3, e5m2, -1, 1)
MATRICES_BYTES_F16(176, 44, 0, e5m2, e4m3, -1, 1)
MATRICES_BYTES_F16(184, 46, 0, e5m2, e5m2, 1, -1)
MATRICES_BYTES_F16(192, 48, 0, e4m3, e4m3, 1, -1)
MATRICES_BYTES_F16(200, 50, 1, e4m3, e5m2, 1, 1)
MATRICES_BYTES_F16(208, 52, 1, e5m2, e4m3, 1, 1)
MATRICES_BYTES_F16(216, 54, 1, e5m2, e5m2, -1, 1)
MATRICES_BYTES_F16(224, 56, 1, e4m3, e4m3, -1, 1)
MATRICES_BYTES_F16(232, 58, 0, e4m3, e5m2, 1, -1)
MATRICES_BYTES_F16(240, 60, 0, e5m2, e4m3, 1, -1)
MATRICES_BYTES_F16(248, 62, 0, e5m2, e5m2, -1, -1)
MATRICES_BYTES_F16(256, 64, 0, e4m3, e4m3, -1, -1)
// clang-format on

}  // namespace matrices
