#pragma once
/// \file
/// What the tests of cuSOLVER's functions share. These files need nothing of the emulator: they
/// also compile against NVIDIA's cuSOLVER.

#include <cusolverDn.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "libraries/common/array_test.hpp"
#include "libraries/common/scalar_types_test.hpp"

namespace solver {

using libraries::Array;
using libraries::is_complex;
using libraries::Named;
using libraries::named;
using libraries::type_of;

#define SUCCEEDS(call) CHECK((call) == CUSOLVER_STATUS_SUCCESS)

using Handle = libraries::Owned<cusolverDnHandle_t, cusolverDnCreate, cusolverDnDestroy>;

template <class T>
struct RealOf {
  using Type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
  using Type = R;
};
template <class T>
using Real = typename RealOf<T>::Type;
template <class T>
constexpr double epsilon = static_cast<double>(std::numeric_limits<Real<T>>::epsilon());

template <class T>
T conjugated(T value) {
  if constexpr (is_complex<T>) {
    return std::conj(value);
  } else {
    return value;
  }
}

/// Calls `test` with a 0 of each type.
template <class Test>
void for_all_types(Test test) {
  test(float{});
  test(double{});
  test(std::complex<float>{});
  test(std::complex<double>{});
}

/// A matrix on the host, column by column, without gaps.
template <class T>
struct Whole {
  int rows;
  int columns;
  std::vector<T> elements;

  Whole(int m, int n) : rows(m), columns(n), elements(static_cast<std::size_t>(m * n)) {}
  T& operator()(int i, int j) { return elements[static_cast<std::size_t>(i + j * rows)]; }
  T operator()(int i, int j) const { return elements[static_cast<std::size_t>(i + j * rows)]; }
};
template <class T>
T random_number(std::mt19937& bits) {
  const auto part = [&] {
    return static_cast<Real<T>>(static_cast<int>(bits() % 2001) - 1000) / 500;
  };
  if constexpr (is_complex<T>) {
    const Real<T> real = part();
    return {real, part()};
  } else {
    return part();
  }
}
template <class T>
Whole<T> random_whole(int m, int n, unsigned seed) {
  std::mt19937 bits(seed);
  Whole<T> a(m, n);
  for (T& element : a.elements) element = random_number<T>(bits);
  return a;
}
template <class T>
Whole<T> identity(int n) {
  Whole<T> a(n, n);
  for (int i = 0; i < n; ++i) a(i, i) = 1;
  return a;
}
template <class T>
Whole<T> adjoint(const Whole<T>& a) {
  Whole<T> result(a.columns, a.rows);
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) result(j, i) = conjugated(a(i, j));
  }
  return result;
}
template <class T>
Whole<T> transposed(const Whole<T>& a) {
  Whole<T> result(a.columns, a.rows);
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) result(j, i) = a(i, j);
  }
  return result;
}
template <class T>
Whole<T> operator*(const Whole<T>& a, const Whole<T>& b) {
  Whole<T> result(a.rows, b.columns);
  for (int j = 0; j < b.columns; ++j) {
    for (int k = 0; k < a.columns; ++k) {
      for (int i = 0; i < a.rows; ++i) result(i, j) += a(i, k) * b(k, j);
    }
  }
  return result;
}
template <class T>
Whole<T> first_columns(const Whole<T>& a, int count) {
  Whole<T> result(a.rows, count);
  std::copy_n(a.elements.begin(), result.elements.size(), result.elements.begin());
  return result;
}
/// Columns times numbers.
template <class T>
Whole<T> scaled(Whole<T> a, const std::vector<Real<T>>& factors) {
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) a(i, j) *= factors[static_cast<std::size_t>(j)];
  }
  return a;
}
template <class T>
Whole<T> hermitian(int n, unsigned seed) {
  Whole<T> a = random_whole<T>(n, n, seed);
  for (int j = 0; j < n; ++j) {
    a(j, j) = std::real(a(j, j));
    for (int i = 0; i < j; ++i) a(i, j) = conjugated(a(j, i));
  }
  return a;
}
template <class T>
Whole<T> positive(int n, unsigned seed) {
  const Whole<T> a = random_whole<T>(n, n, seed);
  Whole<T> result = a * adjoint(a);
  for (int i = 0; i < n; ++i) result(i, i) = std::real(result(i, i)) + 1;
  return result;
}
/// What is not an element of the triangle that a call looks at becomes a number that would spoil
/// it.
template <class T>
Whole<T> one_triangle(Whole<T> a, bool upper, T other = T(999)) {
  for (int j = 0; j < a.columns; ++j) {
    for (int i = 0; i < a.rows; ++i) {
      if (upper ? i > j : i < j) a(i, j) = other;
    }
  }
  return a;
}

template <class T>
double size_of(const Whole<T>& a) {
  double sum = 0;
  for (const T& element : a.elements) sum = std::hypot(sum, static_cast<double>(std::abs(element)));
  return sum;
}
/// Equal but for what rounding does.
template <class T>
bool are_near(const Whole<T>& a, const Whole<T>& b, double tolerance = 100) {
  if (a.rows != b.rows || a.columns != b.columns) return false;
  Whole<T> difference = a;
  for (std::size_t i = 0; i < a.elements.size(); ++i) difference.elements[i] -= b.elements[i];
  const int order = std::max(a.rows, a.columns) + 1;
  return size_of(difference) <= tolerance * order * epsilon<T> * (size_of(b) + 1);
}
template <class T>
bool are_orthonormal(const Whole<T>& q) {
  return are_near(adjoint(q) * q, identity<T>(q.columns));
}

/// The same on the device, with a gap after each column.
template <class T>
struct OnDevice {
  int rows;
  int columns;
  int ld;
  Array<T> values;

  explicit OnDevice(const Whole<T>& a, int gap = 2)
      : rows(a.rows), columns(a.columns), ld(std::max(a.rows, 1) + gap), values(spread(a, ld)) {}
  Named<T>* get() const { return named(values.get()); }
  /// \param may_fill_gaps  some calls of the library use what is after the columns
  Whole<T> whole(bool may_fill_gaps = false) const {
    const std::vector<T> numbers = values.numbers();
    Whole<T> result(rows, columns);
    bool gaps_are_left = true;
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < ld; ++i) {
        const T number = numbers[static_cast<std::size_t>(i + j * ld)];
        if (i < rows) {
          result(i, j) = number;
        } else {
          gaps_are_left = gaps_are_left && number == T(77);
        }
      }
    }
    CHECK((gaps_are_left || may_fill_gaps));
    return result;
  }

 private:
  static std::vector<T> spread(const Whole<T>& a, int ld) {
    std::vector<T> numbers(static_cast<std::size_t>(ld * a.columns), T(77));
    for (int j = 0; j < a.columns; ++j) {
      for (int i = 0; i < a.rows; ++i) numbers[static_cast<std::size_t>(i + j * ld)] = a(i, j);
    }
    return numbers;
  }
};
/// Numbers on the device whose values are not known yet.
template <class T>
struct Vector {
  Array<T> values;
  explicit Vector(int count) : values(std::vector<T>(static_cast<std::size_t>(count), T(55))) {}
  Named<T>* get() const { return named(values.get()); }
  std::vector<T> numbers() const { return values.numbers(); }
};
/// The int that says how a call went; -77 if it was not written.
struct Info {
  Array<int> values;
  explicit Info(int count = 1) : values(std::vector<int>(static_cast<std::size_t>(count), -77)) {}
  operator int*() const { return values.get(); }
  int value(int i = 0) const { return values.numbers()[static_cast<std::size_t>(i)]; }
};
/// The work that a call's bufferSize asks for.
template <class T>
struct Space {
  Array<T> values;
  int size;
  explicit Space(int count)
      : values(std::vector<T>(static_cast<std::size_t>(std::max(count, 1)))), size(count) {}
  operator Named<T>*() const { return named(values.get()); }
};

/// Work on the device and on the host, made when the sizes are known.
struct Spaces {
  std::size_t on_device = 0;
  std::size_t on_host = 0;
  std::vector<char> host;
  void* device = nullptr;
  ~Spaces() { cudaFree(device); }
  void make() {
    host.resize(on_host + 1);
    REQUIRE(cudaMalloc(&device, on_device + 1) == cudaSuccess);
  }
};

inline constexpr int sizes[] = {1, 2, 3, 7, 32, 33, 61};
inline constexpr cublasFillMode_t both_triangles[] = {CUBLAS_FILL_MODE_LOWER,
                                                      CUBLAS_FILL_MODE_UPPER};

/// The functions of one type: solver::potrf<T> is cusolverDnSpotrf and so on.
#define SOLVER_OF_ALL(name)                                            \
  template <class T>                                                   \
  inline constexpr auto name = cusolverDnS##name;                      \
  template <>                                                          \
  inline constexpr auto name<double> = cusolverDnD##name;              \
  template <>                                                          \
  inline constexpr auto name<std::complex<float>> = cusolverDnC##name; \
  template <>                                                          \
  inline constexpr auto name<std::complex<double>> = cusolverDnZ##name;
#define SOLVER_WITH_SIZE(name) \
  SOLVER_OF_ALL(name)          \
  SOLVER_OF_ALL(name##_bufferSize)
/// Those of two names, for real and for complex numbers.
#define SOLVER_OF_TWO(name, OfReal, OfComplex)                              \
  template <class T>                                                        \
  inline constexpr auto name = cusolverDnS##OfReal;                         \
  template <>                                                               \
  inline constexpr auto name<double> = cusolverDnD##OfReal;                 \
  template <>                                                               \
  inline constexpr auto name<std::complex<float>> = cusolverDnC##OfComplex; \
  template <>                                                               \
  inline constexpr auto name<std::complex<double>> = cusolverDnZ##OfComplex;
#define SOLVER_OF_TWO_WITH_SIZE(name, OfComplex) \
  SOLVER_OF_TWO(name, name, OfComplex)           \
  SOLVER_OF_TWO(name##_bufferSize, name##_bufferSize, OfComplex##_bufferSize)

}  // namespace solver
