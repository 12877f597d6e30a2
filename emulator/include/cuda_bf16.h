#pragma once
#pragma GCC system_header
/// \file
/// `__nv_bfloat16`, the upper 16 bits of a float, and `__nv_bfloat162`, a pair of them: the
/// emulator's cuda_bf16.h.
///
/// What cuda_fp16.h says also holds here: exact results, rounded once; denormal numbers are kept.
/// The macros `__CUDA_NO_BFLOAT16_CONVERSIONS__`, `__CUDA_NO_BFLOAT16_OPERATORS__` and
/// `__CUDA_NO_BFLOAT162_OPERATORS__` leave out what they leave out of NVIDIA's header.

#include "cuda_fp16.h"

#define EMULATOR_T __nv_bfloat16
#define EMULATOR_T2 __nv_bfloat162
#define EMULATOR_RAW __nv_bfloat16_raw
#define EMULATOR_RAW2 __nv_bfloat162_raw
#define EMULATOR_OTHER_T __half
#define EMULATOR_FORMAT Bfloat16Format
#define EMULATOR_WORD(before, after) before##bfloat16##after
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define EMULATOR_CONVERSIONS 0
#else
#define EMULATOR_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define EMULATOR_OPERATORS 0
#else
#define EMULATOR_OPERATORS 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
#define EMULATOR_PAIR_OPERATORS 0
#else
#define EMULATOR_PAIR_OPERATORS 1
#endif
#include "emulator/numbers/float16_functions.inc"

/// Both halves the same.
EMULATOR_INLINE __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a) noexcept {
  return __nv_bfloat162(a, a);
}

// From one format to the other, each only where it is asked for.
#ifndef __CUDA_NO_HALF_CONVERSIONS__
EMULATOR_INLINE __half::__half(const __nv_bfloat16 other) noexcept
    : __half(__float2half_rn(__bfloat162float(other))) {}
#endif
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
EMULATOR_INLINE __nv_bfloat16::__nv_bfloat16(const __half other) noexcept
    : __nv_bfloat16(__float2bfloat16_rn(__half2float(other))) {}
#endif

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F80U))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7FFFU))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001U))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F7FU))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000U))
#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3F80U))
