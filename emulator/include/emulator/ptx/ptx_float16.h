#pragma once
#pragma GCC system_header
/// \file
/// Floating-point numbers of 16 bits in PTX, alone and in pairs.

#include "emulator/ptx/ptx_floats.h"

namespace emulator::ptx {

template <class T>
struct FormatOf {
  using type = ::emulator::detail::HalfFormat;
};
template <>
struct FormatOf<bf16> {
  using type = ::emulator::detail::Bfloat16Format;
};
template <class T>
using Format = typename FormatOf<T>::type;

/// What one of a pair is.
template <class T>
struct ElementOf {
  using type = T;
};
template <>
struct ElementOf<f16x2> {
  using type = f16;
};
template <>
struct ElementOf<bf16x2> {
  using type = bf16;
};
template <class T>
using Element = typename ElementOf<T>::type;

/// Does to each of a pair what is done to a number.
template <class T, class Function, class... Others>
EMULATOR_UNSEEN inline T each(const Function& function, T a, Others... others) {
  using Single = Element<T>;
  if constexpr (sizeof(T) == 2) {
    return function(a, others...);
  } else {
    const auto part = [](T pair, unsigned shift)
                          EMULATOR_UNSEEN { return Single{static_cast<u16>(pair.bits >> shift)}; };
    const Single low = function(part(a, 0), part(others, 0)...);
    const Single high = function(part(a, 16), part(others, 16)...);
    return T{static_cast<u32>(high.bits) << 16 | low.bits};
  }
}

template <Option ftz, class Single>
EMULATOR_UNSEEN inline Single flushed16(Single x) {
  if (ftz == Option::none || std::is_same_v<Single, bf16>) return x;
  return (x.bits & 0x7FFFU) < 0x400U ? Single{static_cast<u16>(x.bits & 0x8000U)} : x;
}
template <Option ftz, Option limit, class Single>
EMULATOR_UNSEEN inline Single finished16(u16 bits) {
  if (limit == Option::sat_) bits = ::emulator::detail::saturated16<Format<Single>>(bits);
  if (limit == Option::relu_) bits = ::emulator::detail::rectified16<Format<Single>>(bits);
  return flushed16<ftz>(Single{bits});
}

template <Option operation, Option ftz, Option sat, class T>
EMULATOR_LEAF T real16(T x, T y) {
  return each<T>(
      [](auto a, auto b) EMULATOR_UNSEEN {
        using Single = decltype(a);
        a = flushed16<ftz>(a);
        b = flushed16<ftz>(b);
        const u16 bits = operation == Option::add_
                             ? ::emulator::detail::sum16<Format<Single>>(a.bits, b.bits)
                         : operation == Option::sub_
                             ? ::emulator::detail::difference16<Format<Single>>(a.bits, b.bits)
                             : ::emulator::detail::product16<Format<Single>>(a.bits, b.bits);
        return finished16<ftz, sat, Single>(bits);
      },
      x, y);
}
template <Option ftz, Option limit, class T>
EMULATOR_LEAF T fused16(T x, T y, T z) {
  return each<T>(
      [](auto a, auto b, auto c) EMULATOR_UNSEEN {
        using Single = decltype(a);
        return finished16<ftz, limit, Single>(::emulator::detail::fma16<Format<Single>>(
            flushed16<ftz>(a).bits, flushed16<ftz>(b).bits, flushed16<ftz>(c).bits));
      },
      x, y, z);
}
template <Option which, Option ftz, Option keep, Option sign, class T>
EMULATOR_LEAF T extreme_of_16(T x, T y) {
  return each<T>(
      [](auto a, auto b) EMULATOR_UNSEEN {
        using Single = decltype(a);
        a = flushed16<ftz>(a);
        b = flushed16<ftz>(b);
        const u16 negative = (a.bits ^ b.bits) & 0x8000U;
        if (sign != Option::none) {
          a.bits &= 0x7FFFU;
          b.bits &= 0x7FFFU;
        }
        u16 bits = ::emulator::detail::extreme16<Format<Single>>(
            a.bits, b.bits, which == Option::max_, keep != Option::none);
        if (sign != Option::none && !::emulator::detail::is_nan16<Format<Single>>(bits))
          bits |= negative;
        return Single{bits};
      },
      x, y);
}
template <Option which, Option ftz, class T>
EMULATOR_LEAF T sign16(T x) {
  return each<T>(
      [](auto a) EMULATOR_UNSEEN {
        a = flushed16<ftz>(a);
        a.bits = static_cast<u16>(which == Option::neg_ ? a.bits ^ 0x8000U : a.bits & 0x7FFFU);
        return a;
      },
      x);
}
template <Option which, class T>
EMULATOR_LEAF T approximate16(T x) {
  return each<T>(
      [](auto a) EMULATOR_UNSEEN {
        using Single = decltype(a);
        return Single{::emulator::detail::apply16<Format<Single>>(function_of<which>, a.bits)};
      },
      x);
}

}  // namespace emulator::ptx
