#pragma once
#pragma GCC system_header
/// \file
/// Floating-point numbers of 32 and 64 bits in PTX: rounded as the instruction says, denormal
/// numbers made 0 where it says so, and a NaN of 32 bits always the same.

#include <math.h>

#include "emulator/numbers/float16_format.h"
#include "emulator/numbers/rounding.h"
#include "emulator/ptx/ptx_integers.h"

namespace emulator::ptx {

constexpr int direction(Option rounding) {
  return rounding == Option::rz_ || rounding == Option::rzi_   ? FE_TOWARDZERO
         : rounding == Option::rp_ || rounding == Option::rpi_ ? FE_UPWARD
         : rounding == Option::rm_ || rounding == Option::rmi_ ? FE_DOWNWARD
                                                               : FE_TONEAREST;
}

/// 0 with the number's sign, if it is denormal and that is asked for.
template <Option ftz, class T>
EMULATOR_LEAF T flushed(T x) {
  if (ftz == Option::none || sizeof(T) == 8) return x;
  return __builtin_fabs(static_cast<double>(x)) < 0x1p-126 ? __builtin_copysign(T{0}, x) : x;
}
/// The NaN that a GPU makes, whatever the host does.
template <class T>
EMULATOR_LEAF T canonical(T x) {
  if constexpr (sizeof(T) == 4) {
    if (x != x) return as<float>(0x7FFFFFFFU);
  }
  return x;
}
template <Option ftz, Option sat, class T>
EMULATOR_LEAF T finished(T x) {
  if (sat == Option::sat_) return x > 0 ? (x < 1 ? x : T{1}) : T{0};  // NaN also becomes 0
  return canonical(flushed<ftz>(x));
}

template <Option operation, Option rounding, Option ftz, Option sat, class T>
EMULATOR_LEAF T real(T a, T b) {
  constexpr int mode = direction(rounding);
  a = flushed<ftz>(a);
  b = flushed<ftz>(b);
  T result = 0;
  if constexpr (mode == FE_TONEAREST) {
    result = ::emulator::detail::rounded_here(operation == Option::add_   ? a + b
                                              : operation == Option::sub_ ? a - b
                                              : operation == Option::mul_ ? a * b
                                                                          : a / b);
  } else if constexpr (operation == Option::add_) {
    result = ::emulator::detail::rounded_sum<mode>(a, b);
  } else if constexpr (operation == Option::sub_) {
    result = ::emulator::detail::rounded_sum<mode>(a, -b);
  } else if constexpr (operation == Option::mul_) {
    result = ::emulator::detail::rounded_product<mode>(a, b);
  } else {
    result = ::emulator::detail::rounded_quotient<mode>(a, b);
  }
  return finished<ftz, sat>(result);
}
template <Option rounding, Option ftz, Option sat, class T>
EMULATOR_LEAF T fused(T a, T b, T c) {
  if constexpr (direction(rounding) == FE_TONEAREST) {
    return finished<ftz, sat>(
        ::emulator::detail::fused(flushed<ftz>(a), flushed<ftz>(b), flushed<ftz>(c)));
  }
  return finished<ftz, sat>(::emulator::detail::rounded_fma<direction(rounding)>(
      flushed<ftz>(a), flushed<ftz>(b), flushed<ftz>(c)));
}
template <Option which, Option rounding, Option ftz, class T>
EMULATOR_LEAF T root_or_reciprocal(T x) {
  constexpr int mode = direction(rounding);
  x = flushed<ftz>(x);
  T result = 0;
  if constexpr (which == Option::sqrt_) {
    result = ::emulator::detail::rounded_root<mode>(x);
  } else {
    result = ::emulator::detail::rounded_quotient<mode>(T{1}, x);
  }
  return finished<ftz, Option::none>(result);
}

/// What GPUs only approximate: computed in double, and rounded.
template <Option which>
EMULATOR_UNSEEN inline double function_of(double x) {
  switch (which) {
    case Option::rcp_:
      return 1 / x;
    case Option::sqrt_:
      return __builtin_sqrt(x);
    case Option::rsqrt_:
      return 1 / __builtin_sqrt(x);
    case Option::ex2_:
      return __builtin_exp2(x);
    case Option::lg2_:
      return __builtin_log2(x);
    case Option::sin_:
      return __builtin_sin(x);
    case Option::cos_:
      return __builtin_cos(x);
    default:
      return __builtin_tanh(x);
  }
}
template <Option which, Option ftz>
EMULATOR_LEAF float approximate(float x) {
  x = flushed<ftz>(x);
  return finished<ftz, Option::none>(static_cast<float>(function_of<which>(x)));
}
/// 1/x and 1/sqrt(x) of 64 bits: the lower half of the argument is not looked at, and that of the
/// result is 0.
template <Option which, Option ftz>
EMULATOR_LEAF double approximate_upper_half(double x) {
  constexpr u64 upper = ~u64{0} << 32;
  return as<double>(as<u64>(function_of<which>(as<double>(as<u64>(x) & upper))) & upper);
}

/// The greater or the lesser number; of a number and a NaN the number, unless NaN is wanted.
template <Option which, Option ftz, Option keep, Option sign, class T>
EMULATOR_LEAF T real_extreme(T a, T b) {
  a = flushed<ftz>(a);
  b = flushed<ftz>(b);
  const bool is_negative = __builtin_signbit(a) != __builtin_signbit(b);
  if (sign != Option::none) {
    a = __builtin_copysign(a, T{1});
    b = __builtin_copysign(b, T{1});
  }
  if (a != a || b != b) {
    if (keep != Option::none || (a != a && b != b)) return canonical(a != a ? a : b);
    a = b = a != a ? b : a;
  }
  const bool a_is_less = a < b || (a == b && __builtin_signbit(a) != 0);
  const T result = a_is_less == (which == Option::min_) ? a : b;
  return sign != Option::none ? __builtin_copysign(result, is_negative ? T{-1} : T{1}) : result;
}
template <Option which, Option ftz, class T>
EMULATOR_LEAF T real_sign(T x) {
  x = flushed<ftz>(x);
  return which == Option::neg_ ? -x : __builtin_copysign(x, T{1});
}
/// The second number with the sign of the first.
template <class T>
EMULATOR_LEAF T copy_sign(T sign, T x) {
  return __builtin_copysign(x, sign);
}
template <Option kind, class T>
EMULATOR_LEAF bool is_of_kind(T x) {
  const T size = __builtin_copysign(x, T{1});
  constexpr T least = sizeof(T) == 4 ? static_cast<T>(0x1p-126) : static_cast<T>(0x1p-1022);
  switch (kind) {
    case Option::finite_:
      return size - size == 0;
    case Option::infinite_:
      return size == static_cast<T>(__builtin_inf());
    case Option::number_:
      return x == x;
    case Option::notanumber_:
      return x != x;
    case Option::normal_:
      return size - size == 0 && size >= least;
    default:
      return size > 0 && size < least;
  }
}

/// A number as what can be compared.
template <Option ftz, class T>
EMULATOR_UNSEEN inline auto comparable(T x) {
  if constexpr (is_16<T>) {
    using Format = std::conditional_t<std::is_same_v<T, f16>, ::emulator::detail::HalfFormat,
                                      ::emulator::detail::Bfloat16Format>;
    const float value = ::emulator::detail::decode16<Format>(x.bits);
    return ftz != Option::none && __builtin_fabsf(value) < 0x1p-14F ? 0.0F : value;
  } else if constexpr (is_real<T>) {
    return flushed<ftz>(x);
  } else {
    return x;
  }
}
template <Option how, Option ftz, class T>
EMULATOR_LEAF bool compare(T first, T second) {
  constexpr bool has_nan = is_real<T> || is_16<T>;
  static_assert(has_nan || how < Option::equ_ || how > Option::nan_,
                "this comparison is one of floating-point numbers");
  static_assert(
      (how != Option::lo_ && how != Option::ls_ && how != Option::hi_ && how != Option::hs_) ||
          (!has_nan && std::is_unsigned_v<T>),
      "this comparison is one of unsigned numbers");
  const auto a = comparable<ftz>(first);
  const auto b = comparable<ftz>(second);
  const bool is_nan = a != a || b != b;
  switch (how) {
    case Option::eq_:
      return a == b;
    case Option::ne_:
      return !is_nan && a != b;
    case Option::lt_:
    case Option::lo_:
      return a < b;
    case Option::le_:
    case Option::ls_:
      return a <= b;
    case Option::gt_:
    case Option::hi_:
      return a > b;
    case Option::ge_:
    case Option::hs_:
      return a >= b;
    case Option::equ_:
      return is_nan || a == b;
    case Option::neu_:
      return a != b;
    case Option::ltu_:
      return is_nan || a < b;
    case Option::leu_:
      return is_nan || a <= b;
    case Option::gtu_:
      return is_nan || a > b;
    case Option::geu_:
      return is_nan || a >= b;
    case Option::num_:
      return !is_nan;
    default:
      return is_nan;
  }
}
EMULATOR_LEAF Pair<bool> both_ways(bool result) {
  return {result, !result};
}
template <Option operation>
EMULATOR_UNSEEN inline bool joined(bool a, bool b) {
  return operation == Option::and_ ? a && b : operation == Option::or_ ? a || b : a != b;
}
template <Option operation>
EMULATOR_LEAF Pair<bool> combined(bool result, bool other) {
  return {joined<operation>(result, other), joined<operation>(!result, other)};
}
/// As `set` has it: 1.0, or all bits; or 0.
template <class T>
EMULATOR_LEAF T as_number(bool result) {
  if constexpr (is_real<T>) {
    return result ? T{1} : T{0};
  } else {
    return result ? static_cast<T>(-1) : T{0};
  }
}

}  // namespace emulator::ptx
