#pragma once
#pragma GCC system_header
/// \file
/// Numbers of 8 bits, which the emulator does not model: a program that mentions them compiles,
/// their conversions do not.

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/unmodelled_device.h"

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

#define EMULATOR_SMALL_NUMBER(name, Storage)                \
  struct name {                                             \
    name() = default;                                       \
    template <class T>                                      \
    EMULATOR_NOT_MODELLED("numbers of 8 bits and less are") \
    explicit name(const T& value);                          \
    template <class T>                                      \
    EMULATOR_NOT_MODELLED("numbers of 8 bits and less are") \
    explicit operator T() const;                            \
    Storage __x;                                            \
  };
EMULATOR_SMALL_NUMBER(__nv_fp8_e4m3, __nv_fp8_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8_e5m2, __nv_fp8_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8_e8m0, __nv_fp8_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8x2_e8m0, __nv_fp8x2_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8x4_e8m0, __nv_fp8x4_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp6_e3m2, __nv_fp8_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp6_e2m3, __nv_fp8_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp4_e2m1, __nv_fp8_storage_t)
#undef EMULATOR_SMALL_NUMBER

#define EMULATOR_CONVERSION(Result, name)                 \
  template <class... Arguments>                           \
  EMULATOR_NOT_MODELLED("numbers of 8 bits and less are") \
  Result name(Arguments... arguments);
EMULATOR_CONVERSION(__nv_fp8_storage_t, __nv_cvt_float_to_fp8)
EMULATOR_CONVERSION(__nv_fp8_storage_t, __nv_cvt_double_to_fp8)
EMULATOR_CONVERSION(__nv_fp8_storage_t, __nv_cvt_halfraw_to_fp8)
EMULATOR_CONVERSION(__nv_fp8_storage_t, __nv_cvt_bfloat16raw_to_fp8)
EMULATOR_CONVERSION(__nv_fp8x2_storage_t, __nv_cvt_float2_to_fp8x2)
EMULATOR_CONVERSION(__nv_fp8x2_storage_t, __nv_cvt_double2_to_fp8x2)
EMULATOR_CONVERSION(__nv_fp8x2_storage_t, __nv_cvt_halfraw2_to_fp8x2)
EMULATOR_CONVERSION(__nv_fp8x2_storage_t, __nv_cvt_bfloat16raw2_to_fp8x2)
EMULATOR_CONVERSION(__half, __nv_cvt_fp8_to_halfraw)
EMULATOR_CONVERSION(__half2, __nv_cvt_fp8x2_to_halfraw2)
#undef EMULATOR_CONVERSION
