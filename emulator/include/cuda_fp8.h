#pragma once
#pragma GCC system_header
/// \file
/// Floating-point numbers of 8 bits: the emulator's cuda_fp8.h.
///
/// A conversion to 8 bits rounds to the nearest number, ties to even. What is too large becomes the
/// greatest finite number with `__NV_SATFINITE`, as in all constructors, and with `__NV_NOSAT` an
/// infinity, or NaN in E4M3, which has none. Conversions to half are exact, and all others go by
/// half. Numbers of other 8 bits (E8M0), of 6 and of 4 bits are not modelled: a program that
/// mentions them compiles, their conversions do not.

#include <type_traits>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "emulator/device/unmodelled_device.h"
#include "emulator/numbers/float8_format.h"

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned;

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

EMULATOR_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x,
                                                          const __nv_saturation_t saturate,
                                                          const __nv_fp8_interpretation_t kind) {
  namespace detail = ::emulator::detail;
  if (kind == __NV_E4M3) {
    const unsigned bits = detail::encode8<detail::E4m3Format>(x, saturate == __NV_SATFINITE);
    return static_cast<__nv_fp8_storage_t>(bits |
                                           (x != x && __builtin_signbit(x) != 0 ? 0x80U : 0U));
  }
  if (x != x) {  // of a NaN the sign and the first place stay
    const auto top = static_cast<unsigned>(__builtin_bit_cast(unsigned long long, x) >> 50);
    return static_cast<__nv_fp8_storage_t>((top >> 6 & 0x80U) | 0x7EU | (top & 3U));
  }
  return detail::encode8<detail::E5m2Format>(x, saturate == __NV_SATFINITE);
}
EMULATOR_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x,
                                                         const __nv_saturation_t saturate,
                                                         const __nv_fp8_interpretation_t kind) {
  return x != x ? static_cast<__nv_fp8_storage_t>(0x7F) : __nv_cvt_double_to_fp8(x, saturate, kind);
}
EMULATOR_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x,
                                                           const __nv_saturation_t saturate,
                                                           const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(::emulator::detail::decode16<::emulator::detail::HalfFormat>(x.x),
                               saturate, kind);
}
EMULATOR_INLINE __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t saturate,
                            const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(
      ::emulator::detail::decode16<::emulator::detail::Bfloat16Format>(x.x), saturate, kind);
}
EMULATOR_INLINE __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                                   const __nv_fp8_interpretation_t kind) {
  namespace detail = ::emulator::detail;
  __half_raw result;
  result.x = kind == __NV_E4M3 ? detail::half_of_8<detail::E4m3Format>(x)
                               : detail::half_of_8<detail::E5m2Format>(x);
  return result;
}

// Pairs: the first number in the lower byte.
EMULATOR_INLINE __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(
    const double2 x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_double_to_fp8(x.y, saturate, kind) << 8 |
                                           __nv_cvt_double_to_fp8(x.x, saturate, kind));
}
EMULATOR_INLINE __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
    const float2 x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(x.y, saturate, kind) << 8 |
                                           __nv_cvt_float_to_fp8(x.x, saturate, kind));
}
EMULATOR_INLINE __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(
    const __half2_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
  __half_raw low;
  __half_raw high;
  low.x = x.x;
  high.x = x.y;
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_halfraw_to_fp8(high, saturate, kind) << 8 |
                                           __nv_cvt_halfraw_to_fp8(low, saturate, kind));
}
EMULATOR_INLINE __nv_fp8x2_storage_t
__nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x, const __nv_saturation_t saturate,
                               const __nv_fp8_interpretation_t kind) {
  __nv_bfloat16_raw low;
  __nv_bfloat16_raw high;
  low.x = x.x;
  high.x = x.y;
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_bfloat16raw_to_fp8(high, saturate, kind) << 8 |
                                           __nv_cvt_bfloat16raw_to_fp8(low, saturate, kind));
}
EMULATOR_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                       const __nv_fp8_interpretation_t kind) {
  __half2_raw result;
  result.x = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), kind).x;
  result.y = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x >> 8), kind).x;
  return result;
}

namespace emulator::detail {

/// What the types of both formats have in common: the value, and how it becomes others.
template <__nv_fp8_interpretation_t kind>
struct Float8 {
  __nv_fp8_storage_t __x;

  Float8() = default;
  EMULATOR_INLINE explicit Float8(double value)
      : __x(__nv_cvt_double_to_fp8(value, __NV_SATFINITE, kind)) {}
  EMULATOR_INLINE explicit Float8(float value)
      : __x(__nv_cvt_float_to_fp8(value, __NV_SATFINITE, kind)) {}
  EMULATOR_INLINE explicit Float8(__half value)
      : __x(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(value), __NV_SATFINITE, kind)) {}
  EMULATOR_INLINE explicit Float8(__nv_bfloat16 value)
      : __x(__nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(value), __NV_SATFINITE,
                                        kind)) {}
  template <class Integer,
            std::enable_if_t<std::is_integral_v<Integer> && (sizeof(Integer) > 1), int> = 0>
  EMULATOR_INLINE explicit Float8(Integer value) : Float8(static_cast<float>(value)) {}

  EMULATOR_INLINE explicit operator __half() const {
    return __half(__nv_cvt_fp8_to_halfraw(__x, kind));
  }
  EMULATOR_INLINE explicit operator float() const {
    return decode16<HalfFormat>(__nv_cvt_fp8_to_halfraw(__x, kind).x);
  }
  EMULATOR_INLINE explicit operator double() const { return static_cast<float>(*this); }
  EMULATOR_INLINE explicit operator __nv_bfloat16() const {
    return __float2bfloat16(static_cast<float>(*this));
  }
  EMULATOR_INLINE explicit operator bool() const { return (__x & 0x7FU) != 0; }
  template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
  EMULATOR_INLINE explicit operator Integer() const {
    return integer16<HalfFormat, Integer>(__nv_cvt_fp8_to_halfraw(__x, kind).x, Rounding::to_zero);
  }
};

/// Two of them.
template <__nv_fp8_interpretation_t kind>
struct Float8x2 {
  __nv_fp8x2_storage_t __x;

  Float8x2() = default;
  EMULATOR_INLINE explicit Float8x2(const double2 value)
      : __x(__nv_cvt_double2_to_fp8x2(value, __NV_SATFINITE, kind)) {}
  EMULATOR_INLINE explicit Float8x2(const float2 value)
      : __x(__nv_cvt_float2_to_fp8x2(value, __NV_SATFINITE, kind)) {}
  EMULATOR_INLINE explicit Float8x2(const __half2 value)
      : __x(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(value), __NV_SATFINITE, kind)) {}
  EMULATOR_INLINE explicit Float8x2(const __nv_bfloat162 value)
      : __x(__nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(value), __NV_SATFINITE,
                                           kind)) {}
  EMULATOR_INLINE explicit operator __half2() const {
    return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));
  }
  EMULATOR_INLINE explicit operator float2() const {
    const __half2_raw halves = __nv_cvt_fp8x2_to_halfraw2(__x, kind);
    return {decode16<HalfFormat>(halves.x), decode16<HalfFormat>(halves.y)};
  }
};

/// Four of them.
template <__nv_fp8_interpretation_t kind>
struct Float8x4 {
  __nv_fp8x4_storage_t __x;

  Float8x4() = default;
  EMULATOR_INLINE explicit Float8x4(const double4 value)
      : Float8x4(Float8x2<kind>(double2{value.x, value.y}),
                 Float8x2<kind>(double2{value.z, value.w})) {}
  EMULATOR_INLINE explicit Float8x4(const float4 value)
      : Float8x4(Float8x2<kind>(float2{value.x, value.y}),
                 Float8x2<kind>(float2{value.z, value.w})) {}
  EMULATOR_INLINE explicit Float8x4(const __half2 low, const __half2 high)
      : Float8x4(Float8x2<kind>(low), Float8x2<kind>(high)) {}
  EMULATOR_INLINE explicit Float8x4(const __nv_bfloat162 low, const __nv_bfloat162 high)
      : Float8x4(Float8x2<kind>(low), Float8x2<kind>(high)) {}
  EMULATOR_INLINE explicit operator float4() const {
    float value[4];
    for (int i = 0; i < 4; ++i) {
      const auto byte = static_cast<__nv_fp8_storage_t>(__x >> (8 * i));
      value[i] = decode16<HalfFormat>(__nv_cvt_fp8_to_halfraw(byte, kind).x);
    }
    return {value[0], value[1], value[2], value[3]};
  }

 private:
  EMULATOR_INLINE explicit Float8x4(Float8x2<kind> low, Float8x2<kind> high)
      : __x(static_cast<unsigned>(high.__x) << 16 | low.__x) {}
};

}  // namespace emulator::detail

#define EMULATOR_FLOAT8(name, Base, bytes) \
  struct alignas(bytes) name : Base {      \
    using Parent = Base;                   \
    using Parent::Parent;                  \
    name() = default;                      \
  }
EMULATOR_FLOAT8(__nv_fp8_e4m3, ::emulator::detail::Float8<__NV_E4M3>, 1);
EMULATOR_FLOAT8(__nv_fp8_e5m2, ::emulator::detail::Float8<__NV_E5M2>, 1);
EMULATOR_FLOAT8(__nv_fp8x2_e4m3, ::emulator::detail::Float8x2<__NV_E4M3>, 2);
EMULATOR_FLOAT8(__nv_fp8x2_e5m2, ::emulator::detail::Float8x2<__NV_E5M2>, 2);
EMULATOR_FLOAT8(__nv_fp8x4_e4m3, ::emulator::detail::Float8x4<__NV_E4M3>, 4);
EMULATOR_FLOAT8(__nv_fp8x4_e5m2, ::emulator::detail::Float8x4<__NV_E5M2>, 4);
#undef EMULATOR_FLOAT8

#define EMULATOR_SMALL_NUMBER(name, Storage)                           \
  struct name {                                                        \
    name() = default;                                                  \
    template <class T>                                                 \
    EMULATOR_NOT_MODELLED("numbers of 6 and 4 bits, and of E8M0, are") \
    explicit name(const T& value);                                     \
    template <class T>                                                 \
    EMULATOR_NOT_MODELLED("numbers of 6 and 4 bits, and of E8M0, are") \
    explicit operator T() const;                                       \
    Storage __x;                                                       \
  };
EMULATOR_SMALL_NUMBER(__nv_fp8_e8m0, __nv_fp8_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8x2_e8m0, __nv_fp8x2_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp8x4_e8m0, __nv_fp8x4_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp6_e3m2, __nv_fp8_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp6_e2m3, __nv_fp8_storage_t)
EMULATOR_SMALL_NUMBER(__nv_fp4_e2m1, __nv_fp8_storage_t)
#undef EMULATOR_SMALL_NUMBER
