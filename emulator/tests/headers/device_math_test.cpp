/// \file
/// The mathematical functions that CUDA C++ adds to those of the C library.
///
/// Expected values with many digits were computed with 1200 bits; special cases are those that CUDA
/// documents, or, where it is silent, what an NVIDIA H200 computes.

#include <doctest/doctest.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "emulator/numbers/math.h"

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
const double nan_double = not_a_number;

/// Distance of two finite doubles of one sign, counted in doubles.
double ulps(double got, double expected) {
  if (got == expected) return 0;
  const double unit = std::nextafter(std::fabs(expected), HUGE_VAL) - std::fabs(expected);
  return std::fabs(got - expected) / unit;
}
double ulps(float got, double expected) {
  const auto nearest = static_cast<float>(expected);
  if (got == nearest) return 0;
  const float unit = std::nextafter(std::fabs(nearest), infinity) - std::fabs(nearest);
  return std::fabs(static_cast<double>(got) - expected) / static_cast<double>(unit);
}

template <class T>
bool negative_zero(T x) {
  return x == 0 && std::signbit(x);
}
template <class T>
bool positive_zero(T x) {
  return x == 0 && !std::signbit(x);
}

template <class A, class B>
concept HasMin = requires(A a, B b) {
  ::min(a, b);
};

}  // namespace

namespace student {

using namespace std;  // as many a kernel's file begins

// Nothing that CUDA has becomes ambiguous with the standard library's.
float uses_everything(float x, int i, unsigned u, double d) {
  const float values[] = {3.0f, 4.0f};
  return min(x, 2.0f) + max(x, 3.0f) + static_cast<float>(min(i, 5) + max(i, i)) +
         static_cast<float>(min(u, i)) + sqrt(x) + fabs(x) + static_cast<float>(abs(i)) + abs(x) +
         rsqrtf(x) + norm3df(x, x, x) + normf(2, values) + floor(x) +
         static_cast<float>(max(d, x)) + std::min(x, 1.0f) +
         static_cast<float>(isnan(x) + isinf(x) + signbit(x));
}

}  // namespace student

TEST_CASE("min and max have CUDA's overloads, and no others") {
  static_assert(::min(INT_MIN, 1) == INT_MIN && ::max(INT_MIN, 1) == 1 && ::min(3, 3) == 3);
  static_assert(::max(-1, 0U) == UINT_MAX && ::min(0U, -1) == 0U);
  static_assert(::min(LONG_MIN, 5L) == LONG_MIN && ::max(-1L, 5UL) == ULONG_MAX);
  static_assert(::max(LLONG_MIN, LLONG_MAX) == LLONG_MAX && ::min(-1LL, 5ULL) == 5ULL);
  static_assert(umin(1U, UINT_MAX) == 1U && umax(1U, UINT_MAX) == UINT_MAX);
  static_assert(llmin(-1, 1) == -1 && llmax(-1, 1) == 1);
  static_assert(ullmin(1, ULLONG_MAX) == 1 && ullmax(1, ULLONG_MAX) == ULLONG_MAX);
  static_assert(std::is_same_v<decltype(::min(1, 2U)), unsigned>);
  static_assert(std::is_same_v<decltype(::max(1.0f, 2.0)), double>);
  static_assert(std::is_same_v<decltype(::min(short{1}, short{2})), int>);
  static_assert(!HasMin<long, int> && !HasMin<int, float> && !HasMin<long, long long>);

  CHECK(::min(not_a_number, 1.0f) == 1.0f);
  CHECK(::min(1.0f, not_a_number) == 1.0f);
  CHECK(::max(not_a_number, 1.0f) == 1.0f);
  CHECK(::max(1.0f, not_a_number) == 1.0f);
  CHECK(::min(std::numeric_limits<float>::signaling_NaN(), 1.0f) == 1.0f);
  CHECK(std::isnan(::max(not_a_number, not_a_number)));
  CHECK(::min(-infinity, -FLT_MAX) == -infinity);
  CHECK(negative_zero(::min(0.0f, -0.0f)));
  CHECK(negative_zero(::min(-0.0, 0.0)));
  CHECK(positive_zero(::max(0.0f, -0.0f)));
  CHECK(positive_zero(::max(-0.0, 0.0)));
  CHECK(::max(1.5f, 2.5) == 2.5);
  CHECK(::min(1.5, 2.5f) == 1.5);
  CHECK(::max(nan_double, 2.5f) == 2.5);
}

TEST_CASE("a file with using namespace std compiles") {
  CHECK(std::isfinite(student::uses_everything(1.0f, 2, 3U, 4.0)));
}

TEST_CASE("the C library's functions are overloaded for float in the global namespace") {
  static_assert(std::is_same_v<decltype(::sqrt(1.0f)), float>);
  static_assert(std::is_same_v<decltype(::fabs(1.0f)), float>);
  static_assert(std::is_same_v<decltype(::fma(1.0f, 1.0f, 1.0f)), float>);
  static_assert(std::is_same_v<decltype(::abs(1LL)), long long>);
  static_assert(std::is_same_v<decltype(::exp10(1.0f)), float>);
  static_assert(std::is_same_v<decltype(::rsqrt(1.0f)), float>);
  static_assert(std::is_same_v<decltype(::sinpi(1.0)), double>);
  static_assert(std::is_same_v<decltype(::copysign(1.0f, 1.0)), double>);
  CHECK(::copysign(2.0, -1.0f) == -2.0);
  CHECK(::jn(1, 2.0f) == ::j1(2.0f));
  CHECK(::yn(0, 2.0f) == ::y0(2.0f));
  CHECK(::y1(2.0f) == ::y1f(2.0f));
  CHECK(::j0(2.0f) == ::j0f(2.0f));
}

TEST_CASE("reciprocal roots") {
  CHECK(rsqrt(4.0) == 0.5);
  CHECK(rsqrtf(0x1p-148f) == 0x1p74f);
  CHECK(rsqrt(0.0) == HUGE_VAL);
  CHECK(rsqrt(-0.0) == -HUGE_VAL);
  CHECK(rsqrt(HUGE_VAL) == 0.0);
  CHECK(std::isnan(rsqrt(-1.0)));
  CHECK(ulps(rsqrt(2.0), 0x1.6a09e667f3bcdp-1) == 0);
  CHECK(rcbrt(27.0) == 1.0 / 3.0);
  CHECK(rcbrtf(-8.0f) == -0.5f);
  CHECK(rcbrt(-0.0) == -HUGE_VAL);
  CHECK(negative_zero(rcbrt(-HUGE_VAL)));
  CHECK(exp10(3.0f) == 1000.0f);
}

TEST_CASE("lengths do not overflow and let infinity win over NaN") {
  CHECK(norm3d(2.0, 3.0, 6.0) == 7.0);
  CHECK(norm4df(1.0f, 1.0f, 1.0f, 1.0f) == 2.0f);
  CHECK(norm3df(3e38f, 0.0f, 0.0f) == 3e38f);
  CHECK(norm3d(1e-300, 0.0, 0.0) == 1e-300);
  CHECK(norm3d(1e308, 1e308, 1e308) > 1.7e308);
  CHECK(norm3d(1e308, 1e308, 1e308) < HUGE_VAL);
  CHECK(norm3df(not_a_number, -infinity, 0.0f) == infinity);
  CHECK(std::isnan(norm4d(1.0, nan_double, 0.0, 0.0)));
  CHECK(rnorm3d(2.0, 3.0, 6.0) == 1.0 / 7.0);
  CHECK(rnorm4df(1.0f, 1.0f, 1.0f, -1.0f) == 0.5f);
  CHECK(positive_zero(rnorm3d(HUGE_VAL, nan_double, 0.0)));
  CHECK(rnorm3df(0.0f, 0.0f, 0.0f) == infinity);
  CHECK(rhypotf(3.0f, -4.0f) == 0.2f);
  CHECK(rhypot(1.5e308, 1.5e308) > 0.0);
  const double axes[] = {1.0, 2.0, 2.0, 4.0};
  CHECK(norm(4, axes) == 5.0);
  CHECK(rnorm(3, axes) == 1.0 / 3.0);
  CHECK(norm(0, axes) == 0.0);
  const float unbounded[] = {not_a_number, infinity};
  CHECK(normf(2, unbounded) == infinity);
  CHECK(rnormf(1, unbounded) != rnormf(1, unbounded));
}

TEST_CASE("sine and cosine of multiples of pi") {
  for (int n = -9; n <= 9; ++n) {
    CAPTURE(n);
    const double x = n;
    CHECK((n < 0 ? negative_zero(sinpi(x)) : positive_zero(sinpi(x))));
    CHECK(cospi(x) == (n % 2 == 0 ? 1.0 : -1.0));
    CHECK(sinpi(x + 0.5) == (n % 2 == 0 ? 1.0 : -1.0));
    CHECK(positive_zero(cospi(x + 0.5)));
    CHECK(ulps(sinpi(x + 0.25), (n % 2 == 0 ? 1 : -1) * 0x1.6a09e667f3bcdp-1) <= 1);
  }
  CHECK(negative_zero(sinpi(-0.0)));
  CHECK(negative_zero(sinpif(-0.0f)));
  CHECK(sinpi(0x1p60) == 0.0);
  CHECK(cospi(0x1p52 + 1) == -1.0);
  CHECK(ulps(sinpi(0x1p-1060), 0x1.921fb54442d18p-1059) <= 1);
  CHECK(ulps(sinpi(1e-5), 3.1415926530730222e-5) <= 1);
  CHECK(ulps(cospi(0.3), 0.58778525229247316) <= 2);
  CHECK(ulps(sinpif(0.3f), 0.80901701638791767) <= 1);
  CHECK(std::isnan(sinpi(HUGE_VAL)));
  CHECK(std::isnan(cospi(-HUGE_VAL)));
  CHECK(std::isnan(cospif(not_a_number)));

  double sine = 0, cosine = 0;
  sincospi(-0.5, &sine, &cosine);
  CHECK(sine == -1.0);
  CHECK(cosine == 0.0);
  float sine_f = 0, cosine_f = 0;
  sincospi(1.0f, &sine_f, &cosine_f);
  CHECK(sine_f == 0.0f);
  CHECK(cosine_f == -1.0f);
  sincos(1.0f, &sine_f, &cosine_f);
  CHECK(sine_f == sinf(1.0f));
  CHECK(cosine_f == cosf(1.0f));
  __sincosf(2.0f, &sine_f, &cosine_f);
  CHECK(sine_f == __sinf(2.0f));
  CHECK(cosine_f == __cosf(2.0f));
}

TEST_CASE("the normal distribution and the error functions") {
  CHECK(normcdf(0.0) == 0.5);
  CHECK(normcdf(HUGE_VAL) == 1.0);
  CHECK(normcdf(-HUGE_VAL) == 0.0);
  CHECK(std::isnan(normcdf(nan_double)));
  CHECK(ulps(normcdf(-1.0), 0.15865525393145705) <= 3);
  CHECK(ulps(normcdf(-30.0), 4.9067139271481871e-198) <= 4);
  CHECK(ulps(normcdff(-5.0f), 2.8665157187919391e-7) <= 1);

  CHECK(normcdfinv(0.5) == 0.0);
  CHECK(normcdfinv(0.0) == -HUGE_VAL);
  CHECK(normcdfinv(1.0) == HUGE_VAL);
  CHECK(std::isnan(normcdfinv(1.5)));
  CHECK(ulps(normcdfinv(0.975), 1.9599639845400539) <= 4);
  CHECK(ulps(normcdfinv(1e-300), -37.047096299361199) <= 4);
  CHECK(ulps(normcdfinvf(0.25f), -0.67448975019608174) <= 1);

  CHECK(erfinv(1.0) == HUGE_VAL);
  CHECK(erfinv(-1.0f) == -infinity);
  CHECK(negative_zero(erfinv(-0.0)));
  CHECK(std::isnan(erfinv(1.0000001f)));
  CHECK(std::isnan(erfinv(nan_double)));
  CHECK(ulps(erfinv(0.5), 0.47693627620446987) <= 3);
  CHECK(ulps(erfinv(-1e-300), -8.8622692545275804e-301) <= 2);

  CHECK(erfcinv(0.0) == HUGE_VAL);
  CHECK(erfcinv(2.0) == -HUGE_VAL);
  CHECK(erfcinv(1.0) == 0.0);
  CHECK(std::isnan(erfcinv(-0.5)));
  CHECK(ulps(erfcinv(1e-10), 4.5728249673894853) <= 3);
  CHECK(ulps(erfcinv(1.5), -0.47693627620446987) <= 3);
  CHECK(std::isfinite(erfcinv(std::numeric_limits<double>::denorm_min())));

  CHECK(erfcx(0.0) == 1.0);
  CHECK(erfcx(HUGE_VAL) == 0.0);
  CHECK(erfcx(-HUGE_VAL) == HUGE_VAL);
  CHECK(std::isnan(erfcx(nan_double)));
  CHECK(ulps(erfcx(1.0), 0.427583576155807) <= 4);
  CHECK(ulps(erfcx(11.999999), 0.046854224892756818) <= 4);
  CHECK(ulps(erfcx(12.0), 0.046854221014893763) <= 4);
  CHECK(ulps(erfcx(1e10), 5.6418958354775629e-11) <= 4);
  CHECK(ulps(erfcx(-2.0), 108.94090438997797) <= 4);
  CHECK(std::isfinite(erfcx(-26.6)));

  for (double y = 1e-12; y < 1.0; y *= 1.7) {
    CAPTURE(y);
    CHECK(std::erfc(erfcinv(y)) == doctest::Approx(y).epsilon(1e-13));
    CHECK(std::erf(erfinv(y)) == doctest::Approx(y).epsilon(1e-15));
    CHECK(normcdf(normcdfinv(y)) == doctest::Approx(y).epsilon(1e-13));
  }
}

TEST_CASE("the fast approximations and their oddities") {
  CHECK(__expf(1.0f) == expf(1.0f));
  CHECK(__exp10f(2.0f) == 100.0f);
  CHECK(__logf(2.0f) == logf(2.0f));
  CHECK(__log2f(8.0f) == 3.0f);
  CHECK(__log10f(1000.0f) == 3.0f);
  CHECK(__tanhf(infinity) == 1.0f);
  CHECK(__tanf(1.0f) == doctest::Approx(1.55740772));
  CHECK(std::isnan(__logf(-1.0f)));
  CHECK(__logf(0.0f) == -infinity);

  CHECK(__powf(2.0f, 10.0f) == 1024.0f);
  CHECK(std::isnan(__powf(-2.0f, 2.0f)));
  CHECK(std::isnan(__powf(0.0f, 0.0f)));
  CHECK(__powf(0.0f, -1.0f) == infinity);

  CHECK(__fdividef(1.0f, 4.0f) == 0.25f);
  CHECK(__fdividef(0x1p127f, 0x1p126f) == 2.0f);
  CHECK(positive_zero(__fdividef(0x1p127f, 0x1.000002p126f)));
  CHECK(negative_zero(__fdividef(0x1p127f, -0x1p127f)));
  CHECK(std::isnan(__fdividef(infinity, 0x1p127f)));
  CHECK(__fdividef(1.0f, infinity) == 0.0f);
  CHECK(__fdividef(1.0f, 0.0f) == infinity);
  CHECK(fdividef(0x1p127f, 0x1p127f) == 1.0f);
  CHECK(fdivide(1.0, 4.0) == 0.25);

  CHECK(__saturatef(0.25f) == 0.25f);
  CHECK(__saturatef(infinity) == 1.0f);
  CHECK(__saturatef(-1.0f) == 0.0f);
  CHECK(positive_zero(__saturatef(-0.0f)));
  CHECK(positive_zero(__saturatef(not_a_number)));
}
