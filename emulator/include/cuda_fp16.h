#pragma once
#pragma GCC system_header
/// \file
/// `half`, a floating-point number of 16 bits, and `half2`, a pair of them: the emulator's
/// cuda_fp16.h.
///
/// Every operation has the exact result, rounded once to the nearest half, ties to even; denormal
/// numbers are kept. The functions of hsin's kind are computed in double and then rounded, so that
/// the last bit can differ from a GPU's, which is less exact there. The same functions work on the
/// host. The macros `__CUDA_NO_HALF_CONVERSIONS__`, `__CUDA_NO_HALF_OPERATORS__` and
/// `__CUDA_NO_HALF2_OPERATORS__` leave out what they leave out of NVIDIA's header.

#include "cuda_runtime.h"
#include "emulator/numbers/float16_atomics.h"
#include "emulator/numbers/float16_format.h"

#define EMULATOR_T __half
#define EMULATOR_T2 __half2
#define EMULATOR_RAW __half_raw
#define EMULATOR_RAW2 __half2_raw
#define EMULATOR_OTHER_T __nv_bfloat16
#define EMULATOR_FORMAT HalfFormat
#define EMULATOR_WORD(before, after) before##half##after
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define EMULATOR_CONVERSIONS 0
#else
#define EMULATOR_CONVERSIONS 1
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define EMULATOR_OPERATORS 0
#else
#define EMULATOR_OPERATORS 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define EMULATOR_PAIR_OPERATORS 0
#else
#define EMULATOR_PAIR_OPERATORS 1
#endif
#include "emulator/numbers/float16_functions.inc"

/// Both halves the same.
EMULATOR_INLINE __half2 __half2half2(const __half a) noexcept {
  return __half2(a, a);
}

using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;

#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7C00U))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7FFFU))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001U))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7BFFU))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000U))
#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3C00U))
