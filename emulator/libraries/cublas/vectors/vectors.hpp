#pragma once
/// \file
/// The work of cuBLAS's functions on vectors. Plain loops: memory decides how long they take, and
/// so sizes and increments of 64 bits, and increments of 0, need nothing of their own.

#include <cmath>
#include <utility>

#include "libraries/cublas/call.hpp"
#include "libraries/cublas/openblas.hpp"

namespace emulator::cublas {

/// What is computed with for an element: itself, for halves and bfloat16 a float.
template <class E>
using Computed = decltype(to_number(E{}));

/// What sums are computed with: so large that squares do not overflow, so exact that the order of
/// the terms does not matter much.
template <class T>
struct SumType {
  using Type = long double;
};
template <>
struct SumType<float> {
  using Type = double;
};
template <class Part>
struct SumType<std::complex<Part>> {
  using Type = std::complex<typename SumType<Part>::Type>;
};
template <class T>
using Sum = typename SumType<T>::Type;

/// A number's magnitude as BLAS compares and adds it.
template <class T>
Real<T> magnitude(T x) {
  if constexpr (is_complex<T>) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else {
    return std::abs(x);
  }
}

/// The element that a number is kept as.
template <class E, class T>
E as_element(T x) {
  E element{};
  round_to(element, x);
  return element;
}

/// A function that makes one number of x, and 0 of nothing: `compute(line)`.
template <class E, class Result, class Compute>
cublasStatus_t reduce(const char* function, cublasHandle_t handle, std::int64_t n, const E* x,
                      std::int64_t incx, Result* result, Compute compute) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.starts({{"result", result}}) || !call.result("result", result)) return call.status();
  if (n <= 0 || incx <= 0) {
    *result = Result{};
    return call.status();
  }
  const Line<const E> line{x, n, incx};
  call.reads("x", line);
  if (call.ok()) *result = compute(line);
  return call.status();
}

/// The index, from 1, of the first element that is better than all before it. What is not a number
/// is passed over, as NVIDIA's library does.
template <class E, class Int, class Better>
cublasStatus_t best(const char* function, cublasHandle_t handle, std::int64_t n, const E* x,
                    std::int64_t incx, Int* result, Better better) {
  return reduce(function, handle, n, x, incx, result, [&](const Line<const E>& line) {
    std::int64_t found = 0;
    const auto at = [&](std::int64_t i) { return magnitude(to_number(line[i])); };
    for (std::int64_t i = 1; i < n; ++i) {
      if (better(at(i), at(found)) || std::isnan(at(found))) found = i;
    }
    return static_cast<Int>(found + 1);
  });
}

template <class E, class Int>
cublasStatus_t amax(const char* function, cublasHandle_t handle, Int n, const E* x, Int incx,
                    Int* result) {
  return best(function, handle, n, x, incx, result, [](auto a, auto b) { return a > b; });
}

template <class E, class Int>
cublasStatus_t amin(const char* function, cublasHandle_t handle, Int n, const E* x, Int incx,
                    Int* result) {
  return best(function, handle, n, x, incx, result, [](auto a, auto b) { return a < b; });
}

template <class E, class Result>
cublasStatus_t asum(const char* function, cublasHandle_t handle, std::int64_t n, const E* x,
                    std::int64_t incx, Result* result) {
  using Part = Real<Computed<E>>;
  return reduce(function, handle, n, x, incx, result, [&](const Line<const E>& line) {
    Sum<Part> sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += magnitude(to_number(line[i]));
    return as_element<Result>(static_cast<Part>(sum));
  });
}

template <class E, class Result>
cublasStatus_t nrm2(const char* function, cublasHandle_t handle, std::int64_t n, const E* x,
                    std::int64_t incx, Result* result) {
  using Part = Real<Computed<E>>;
  return reduce(function, handle, n, x, incx, result, [&](const Line<const E>& line) {
    Sum<Part> sum = 0;
    const auto add_square = [&](Part part) { sum += static_cast<Sum<Part>>(part) * part; };
    for (std::int64_t i = 0; i < n; ++i) {
      const auto number = to_number(line[i]);
      if constexpr (is_complex<decltype(+number)>) {
        add_square(number.real());
        add_square(number.imag());
      } else {
        add_square(number);
      }
    }
    return as_element<Result>(static_cast<Part>(std::sqrt(sum)));
  });
}

/// The sum of x[i] y[i], or with the conjugates of x.
template <class E, bool conjugated = false>
cublasStatus_t inner_product(const char* function, cublasHandle_t handle, std::int64_t n,
                             const E* x, std::int64_t incx, const E* y, std::int64_t incy,
                             E* result) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.starts({{"result", result}}) || !call.result("result", result)) return call.status();
  if (n <= 0) {
    *result = E{};
    return call.status();
  }
  const Line<const E> a{x, n, incx};
  const Line<const E> b{y, n, incy};
  call.reads("x", a);
  call.reads("y", b);
  if (!call.ok()) return call.status();
  using T = Computed<E>;
  Sum<T> sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    sum += static_cast<Sum<T>>(conjugate(to_number(a[i]), conjugated)) *
           static_cast<Sum<T>>(to_number(b[i]));
  }
  *result = as_element<E>(static_cast<T>(sum));
  return call.status();
}

template <class E>
inline constexpr auto dot = inner_product<E>;
template <class E>
inline constexpr auto dotu = inner_product<E>;
template <class E>
inline constexpr auto dotc = inner_product<E, true>;

template <class E, class Factor>
cublasStatus_t axpy(const char* function, cublasHandle_t handle, std::int64_t n,
                    const Factor* alpha, const E* x, std::int64_t incx, E* y, std::int64_t incy) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.ok() || n <= 0) return call.status();
  if (!call.starts({{"alpha", alpha}})) return call.status();
  const auto factor = to_number(call.factor("alpha", alpha));
  if (!call.ok() || factor == Computed<Factor>(0)) return call.status();
  const Line<const E> from{x, n, incx};
  const Line<E> to{y, n, incy};
  call.reads("x", from);
  call.writes("y", to, true);
  if (!call.ok()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) {
    round_to(to[i], to_number(to[i]) + factor * to_number(from[i]));
  }
  return call.status();
}

template <class E>
cublasStatus_t copy(const char* function, cublasHandle_t handle, std::int64_t n, const E* x,
                    std::int64_t incx, E* y, std::int64_t incy) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.ok() || n <= 0 || !call.starts({})) return call.status();
  const Line<const E> from{x, n, incx};
  const Line<E> to{y, n, incy};
  call.reads("x", from);
  call.writes("y", to);
  if (!call.ok()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) to[i] = from[i];
  return call.status();
}

template <class E, class Factor>
cublasStatus_t scal(const char* function, cublasHandle_t handle, std::int64_t n,
                    const Factor* alpha, E* x, std::int64_t incx) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.ok() || n <= 0 || incx <= 0) return call.status();
  if (!call.starts({{"alpha", alpha}})) return call.status();
  const auto factor = to_number(call.factor("alpha", alpha));
  const Line<E> line{x, n, incx};
  call.writes("x", line, true);
  if (!call.ok()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) round_to(line[i], factor * to_number(line[i]));
  return call.status();
}

/// A function that changes x and y element by element: `change(x[i], y[i])`, which makes_change()
// returns if the call still goes on then.
template <class E, class MakeChange>
cublasStatus_t change_both(const char* function, cublasHandle_t handle, std::int64_t n, E* x,
                           std::int64_t incx, E* y, std::int64_t incy,
                           std::initializer_list<Call::Pointer> pointers, MakeChange make_change) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.ok() || n <= 0 || !call.starts(pointers)) return call.status();
  const auto change = make_change(call);
  const Line<E> a{x, n, incx};
  const Line<E> b{y, n, incy};
  call.writes("x", a, true);
  call.writes("y", b, true);
  if (!call.ok()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) change(a[i], b[i]);
  return call.status();
}

template <class E>
cublasStatus_t swap(const char* function, cublasHandle_t handle, std::int64_t n, E* x,
                    std::int64_t incx, E* y, std::int64_t incy) {
  return change_both(function, handle, n, x, incx, y, incy, {},
                     [](Call&) { return [](E& a, E& b) { std::swap(a, b); }; });
}

template <class E, class Cosine, class Sine>
cublasStatus_t rot(const char* function, cublasHandle_t handle, std::int64_t n, E* x,
                   std::int64_t incx, E* y, std::int64_t incy, const Cosine* c, const Sine* s) {
  return change_both(function, handle, n, x, incx, y, incy, {{"c", c}, {"s", s}}, [&](Call& call) {
    const auto cosine = real_part(to_number(call.factor("c", c)));
    const auto sine = to_number(call.factor("s", s));
    return [cosine, sine](E& a, E& b) {
      const auto old_a = to_number(a);
      const auto old_b = to_number(b);
      round_to(a, cosine * old_a + sine * old_b);
      round_to(b, cosine * old_b - conjugate(sine) * old_a);
    };
  });
}

/// The matrix of a modified rotation.
template <class T>
struct Rotation {
  T h11 = 1;
  T h21 = 0;
  T h12 = 0;
  T h22 = 1;

  void operator()(T& a, T& b) const {
    const T old = a;
    a = h11 * old + h12 * b;
    b = h21 * old + h22 * b;
  }
};

template <class T>
Rotation<T> rotation_of(const T* param) {
  if (param[0] == -1) return {param[1], param[2], param[3], param[4]};
  if (param[0] == 0) return {1, param[2], param[3], 1};
  if (param[0] == 1) return {param[1], -1, 1, param[4]};
  return {};
}

template <class T>
cublasStatus_t rotm(const char* function, cublasHandle_t handle, std::int64_t n, T* x,
                    std::int64_t incx, T* y, std::int64_t incy, const T* param) {
  return change_both(function, handle, n, x, incx, y, incy, {{"param", param}}, [&](Call& call) {
    return call.parameters("param", param, 5) ? rotation_of(param) : Rotation<T>{};
  });
}

/// The rotation that turns (a, b) into (r, 0).
template <class T>
void make_rotation(T* a, T* b, T* c, T* s) {
  of_type<T>(cblas_srotg, cblas_drotg)(a, b, c, s);
}
/// b keeps its value. r has the direction of a.
template <class Part>
void make_rotation(std::complex<Part>* a, const std::complex<Part>* b, Part* c,
                   std::complex<Part>* s) {
  const Part a_length = std::abs(*a);
  if (a_length == 0) {
    *c = 0;
    *s = 1;
    *a = *b;
    return;
  }
  const Part length = std::hypot(a_length, std::abs(*b));
  const std::complex<Part> direction = *a / a_length;
  *c = a_length / length;
  *s = direction * std::conj(*b) / length;
  *a = direction * length;
}

template <class T>
cublasStatus_t rotg(const char* function, cublasHandle_t handle, T* a, T* b, Real<T>* c, T* s) {
  Call call(function, handle);
  if (call.starts({{"a", a}, {"b", b}, {"c", c}, {"s", s}}) && call.results("a", a) &&
      call.results("b", b) && call.results("c", c) && call.results("s", s)) {
    make_rotation(a, b, c, s);
  }
  return call.status();
}

template <class T>
cublasStatus_t rotmg(const char* function, cublasHandle_t handle, T* d1, T* d2, T* x1, const T* y1,
                     T* param) {
  Call call(function, handle);
  if (!call.starts({{"d1", d1}, {"d2", d2}, {"x1", x1}, {"y1", y1}, {"param", param}})) {
    return call.status();
  }
  const T y = call.factor("y1", y1);
  if (call.results("d1", d1) && call.results("d2", d2) && call.results("x1", x1) &&
      call.results("param", param, 5)) {
    of_type<T>(cblas_srotmg, cblas_drotmg)(d1, d2, x1, y, param);
  }
  return call.status();
}

}  // namespace emulator::cublas
