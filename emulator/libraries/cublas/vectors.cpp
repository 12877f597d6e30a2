/// \file
/// cuBLAS's functions on vectors. Plain loops: memory decides how long they take, and so sizes and
/// increments of 64 bits, and increments of 0, need nothing of their own.

#include <cmath>
#include <utility>

#include "libraries/cublas/call.hpp"
#include "libraries/cublas/forms.hpp"
#include "libraries/cublas/openblas.hpp"

namespace emulator::blas {
namespace {

using namespace emulator::detail;

// What is computed with for an element: itself, for halves and bfloat16 a float.
template <class E>
using Computed = decltype(to_number(E{}));

// What sums are computed with: so large that squares do not overflow, so exact that the order of
// the terms does not matter much.
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

// A number's magnitude as BLAS compares and adds it.
template <class T>
Real<T> magnitude(T x) {
  if constexpr (is_complex<T>) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else {
    return std::abs(x);
  }
}

// The element that a number is kept as.
template <class E, class T>
E as_element(T x) {
  E element{};
  round_to(element, x);
  return element;
}

// A function that makes one number of x, and 0 of nothing: `compute(line)`.
template <class E, class Result, class Compute>
cublasStatus_t reduce(const char* function, cublasHandle_t handle, std::int64_t n, const E* x,
                      std::int64_t incx, Result* result, Compute compute) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.starts({{"result", result}}) || !call.results("result", result)) return call.status();
  if (n <= 0 || incx <= 0) {
    *result = Result{};
    return call.status();
  }
  const Line<const E> line{x, n, incx};
  call.reads("x", line);
  if (call.goes_on()) *result = compute(line);
  return call.status();
}

// The index, from 1, of the first element that is better than all before it. What is no number is
// passed over, as NVIDIA's library does.
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

// The sum of x[i] y[i], or with the conjugates of x.
template <class E, bool conjugated = false>
cublasStatus_t inner_product(const char* function, cublasHandle_t handle, std::int64_t n,
                             const E* x, std::int64_t incx, const E* y, std::int64_t incy,
                             E* result) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.starts({{"result", result}}) || !call.results("result", result)) return call.status();
  if (n <= 0) {
    *result = E{};
    return call.status();
  }
  const Line<const E> a{x, n, incx};
  const Line<const E> b{y, n, incy};
  call.reads("x", a);
  call.reads("y", b);
  if (!call.goes_on()) return call.status();
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
constexpr auto dot = inner_product<E>;
template <class E>
constexpr auto dotu = inner_product<E>;
template <class E>
constexpr auto dotc = inner_product<E, true>;

template <class E, class Factor>
cublasStatus_t axpy(const char* function, cublasHandle_t handle, std::int64_t n,
                    const Factor* alpha, const E* x, std::int64_t incx, E* y, std::int64_t incy) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.goes_on() || n <= 0) return call.status();
  if (!call.starts({{"alpha", alpha}})) return call.status();
  const auto factor = to_number(call.factor("alpha", alpha));
  if (!call.goes_on() || factor == Computed<Factor>(0)) return call.status();
  const Line<const E> from{x, n, incx};
  const Line<E> to{y, n, incy};
  call.reads("x", from);
  call.writes("y", to, true);
  if (!call.goes_on()) return call.status();
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
  if (!call.goes_on() || n <= 0 || !call.starts({})) return call.status();
  const Line<const E> from{x, n, incx};
  const Line<E> to{y, n, incy};
  call.reads("x", from);
  call.writes("y", to);
  if (!call.goes_on()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) to[i] = from[i];
  return call.status();
}

template <class E, class Factor>
cublasStatus_t scal(const char* function, cublasHandle_t handle, std::int64_t n,
                    const Factor* alpha, E* x, std::int64_t incx) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.goes_on() || n <= 0 || incx <= 0) return call.status();
  if (!call.starts({{"alpha", alpha}})) return call.status();
  const auto factor = to_number(call.factor("alpha", alpha));
  const Line<E> line{x, n, incx};
  call.writes("x", line, true);
  if (!call.goes_on()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) round_to(line[i], factor * to_number(line[i]));
  return call.status();
}

// A function that changes x and y element by element: `change(x[i], y[i])`, which makes_change()
// returns if the call still goes on then.
template <class E, class MakeChange>
cublasStatus_t change_both(const char* function, cublasHandle_t handle, std::int64_t n, E* x,
                           std::int64_t incx, E* y, std::int64_t incy,
                           std::initializer_list<Call::Pointer> pointers, MakeChange make_change) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.goes_on() || n <= 0 || !call.starts(pointers)) return call.status();
  const auto change = make_change(call);
  const Line<E> a{x, n, incx};
  const Line<E> b{y, n, incy};
  call.writes("x", a, true);
  call.writes("y", b, true);
  if (!call.goes_on()) return call.status();
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

// The matrix of a modified rotation.
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

// The rotation that turns (a, b) into (r, 0).
template <class T>
void make_rotation(T* a, T* b, T* c, T* s) {
  of_type<T>(cblas_srotg, cblas_drotg)(a, b, c, s);
}
// b keeps its value. r has the direction of a.
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

// Types of elements as arguments -----------------------------------------------------------------

// The type's number.
template <class E>
constexpr cudaDataType data_type = CUDA_R_32F;
template <>
constexpr cudaDataType data_type<double> = CUDA_R_64F;
template <>
constexpr cudaDataType data_type<std::complex<float>> = CUDA_C_32F;
template <>
constexpr cudaDataType data_type<std::complex<double>> = CUDA_C_64F;
template <>
constexpr cudaDataType data_type<Half> = CUDA_R_16F;
template <>
constexpr cudaDataType data_type<Bfloat16> = CUDA_R_16BF;

cublasStatus_t refuse_types(const char* function, cublasHandle_t handle) {
  Call call(function, handle);
  call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, "these types of elements together are not modelled");
  return call.status();
}

// `solve(E{})` for elements of that type, if it is one of these.
template <class... Elements, class Solve>
cublasStatus_t with_element(const char* function, cublasHandle_t handle, cudaDataType type,
                            Solve solve) {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const auto solved = [&](auto element) {
    if (type != data_type<decltype(element)>) return false;
    status = solve(element);
    return true;
  };
  return (solved(Elements{}) || ...) ? status : refuse_types(function, handle);
}

// The same for whatever elements vectors have, if the other types are right: `others` are those of
// further operands, and what is computed with is `execution`.
template <class Solve>
cublasStatus_t with_vectors(const char* function, cublasHandle_t handle, cudaDataType type,
                            std::initializer_list<cudaDataType> others, cudaDataType execution,
                            Solve solve) {
  return with_element<float, double, std::complex<float>, std::complex<double>, Half, Bfloat16>(
      function, handle, type, [&](auto element) {
        bool fits = execution == data_type<Computed<decltype(element)>>;
        for (const cudaDataType other : others) fits = fits && other == type;
        return fits ? solve(element) : refuse_types(function, handle);
      });
}

cublasStatus_t axpy_ex(const char* function, cublasHandle_t handle, std::int64_t n,
                       const void* alpha, cudaDataType alpha_type, const void* x,
                       cudaDataType x_type, std::int64_t incx, void* y, cudaDataType y_type,
                       std::int64_t incy, cudaDataType execution) {
  return with_vectors(function, handle, x_type, {y_type}, execution, [&](auto element) {
    using E = decltype(element);
    if (alpha_type != execution) return refuse_types(function, handle);
    return axpy(function, handle, n, static_cast<const Computed<E>*>(alpha),
                static_cast<const E*>(x), incx, static_cast<E*>(y), incy);
  });
}

cublasStatus_t scal_ex(const char* function, cublasHandle_t handle, std::int64_t n,
                       const void* alpha, cudaDataType alpha_type, void* x, cudaDataType x_type,
                       std::int64_t incx, cudaDataType execution) {
  return with_vectors(function, handle, x_type, {}, execution, [&](auto element) {
    using E = decltype(element);
    if (alpha_type != execution) return refuse_types(function, handle);
    return scal(function, handle, n, static_cast<const Computed<E>*>(alpha), static_cast<E*>(x),
                incx);
  });
}

// Copies and exchanges ask for nothing to compute with.
template <class Solve>
cublasStatus_t with_pair(const char* function, cublasHandle_t handle, cudaDataType x_type,
                         cudaDataType y_type, Solve solve) {
  return with_element<float, double, std::complex<float>, std::complex<double>, Half, Bfloat16>(
      function, handle, x_type, [&](auto element) {
        return x_type == y_type ? solve(element) : refuse_types(function, handle);
      });
}

cublasStatus_t copy_ex(const char* function, cublasHandle_t handle, std::int64_t n, const void* x,
                       cudaDataType x_type, std::int64_t incx, void* y, cudaDataType y_type,
                       std::int64_t incy) {
  return with_pair(function, handle, x_type, y_type, [&](auto element) {
    using E = decltype(element);
    return copy(function, handle, n, static_cast<const E*>(x), incx, static_cast<E*>(y), incy);
  });
}

cublasStatus_t swap_ex(const char* function, cublasHandle_t handle, std::int64_t n, void* x,
                       cudaDataType x_type, std::int64_t incx, void* y, cudaDataType y_type,
                       std::int64_t incy) {
  return with_pair(function, handle, x_type, y_type, [&](auto element) {
    using E = decltype(element);
    return swap(function, handle, n, static_cast<E*>(x), incx, static_cast<E*>(y), incy);
  });
}

template <bool conjugated>
cublasStatus_t dot_ex(const char* function, cublasHandle_t handle, std::int64_t n, const void* x,
                      cudaDataType x_type, std::int64_t incx, const void* y, cudaDataType y_type,
                      std::int64_t incy, void* result, cudaDataType result_type,
                      cudaDataType execution) {
  return with_vectors(
      function, handle, x_type, {y_type, result_type}, execution, [&](auto element) {
        using E = decltype(element);
        return inner_product<E, conjugated>(function, handle, n, static_cast<const E*>(x), incx,
                                            static_cast<const E*>(y), incy,
                                            static_cast<E*>(result));
      });
}

// Sums of magnitudes or squares, whose result is real.
template <class Solve>
cublasStatus_t with_sum(const char* function, cublasHandle_t handle, cudaDataType type,
                        cudaDataType result_type, cudaDataType execution, Solve solve) {
  return with_element<float, double, std::complex<float>, std::complex<double>, Half, Bfloat16>(
      function, handle, type, [&](auto element) {
        using Result = Real<decltype(element)>;
        const bool fits =
            result_type == data_type<Result> && execution == data_type<Computed<Result>>;
        return fits ? solve(element, Result{}) : refuse_types(function, handle);
      });
}

cublasStatus_t nrm2_ex(const char* function, cublasHandle_t handle, std::int64_t n, const void* x,
                       cudaDataType x_type, std::int64_t incx, void* result,
                       cudaDataType result_type, cudaDataType execution) {
  return with_sum(function, handle, x_type, result_type, execution, [&](auto element, auto number) {
    return nrm2(function, handle, n, static_cast<const decltype(element)*>(x), incx,
                static_cast<decltype(number)*>(result));
  });
}

cublasStatus_t asum_ex(const char* function, cublasHandle_t handle, std::int64_t n, const void* x,
                       cudaDataType x_type, std::int64_t incx, void* result,
                       cudaDataType result_type, cudaDataType execution) {
  return with_sum(function, handle, x_type, result_type, execution, [&](auto element, auto number) {
    return asum(function, handle, n, static_cast<const decltype(element)*>(x), incx,
                static_cast<decltype(number)*>(result));
  });
}

template <class Int>
cublasStatus_t index_ex(const char* function, cublasHandle_t handle, bool largest, Int n,
                        const void* x, cudaDataType x_type, Int incx, Int* result) {
  return with_pair(function, handle, x_type, x_type, [&](auto element) {
    const auto* const elements = static_cast<const decltype(element)*>(x);
    return largest ? amax(function, handle, n, elements, incx, result)
                   : amin(function, handle, n, elements, incx, result);
  });
}

cublasStatus_t rot_ex(const char* function, cublasHandle_t handle, std::int64_t n, void* x,
                      cudaDataType x_type, std::int64_t incx, void* y, cudaDataType y_type,
                      std::int64_t incy, const void* c, const void* s, cudaDataType factor_type,
                      cudaDataType execution) {
  return with_vectors(function, handle, x_type, {y_type}, execution, [&](auto element) {
    using E = decltype(element);
    const auto with_factors = [&](auto factor) {
      using Factor = decltype(factor);
      return rot(function, handle, n, static_cast<E*>(x), incx, static_cast<E*>(y), incy,
                 static_cast<const Factor*>(c), static_cast<const Factor*>(s));
    };
    if (factor_type == data_type<E>) return with_factors(E{});
    if (factor_type == data_type<Real<E>>) return with_factors(Real<E>{});
    return refuse_types(function, handle);
  });
}

cublasStatus_t rotm_ex(const char* function, cublasHandle_t handle, std::int64_t n, void* x,
                       cudaDataType x_type, std::int64_t incx, void* y, cudaDataType y_type,
                       std::int64_t incy, const void* param, cudaDataType param_type,
                       cudaDataType execution) {
  return with_element<float, double>(function, handle, x_type, [&](auto element) {
    using T = decltype(element);
    if (y_type != x_type || param_type != x_type || execution != x_type) {
      return refuse_types(function, handle);
    }
    return rotm(function, handle, n, static_cast<T*>(x), incx, static_cast<T*>(y), incy,
                static_cast<const T*>(param));
  });
}

cublasStatus_t rotg_ex(const char* function, cublasHandle_t handle, void* a, void* b,
                       cudaDataType type, void* c, void* s, cudaDataType factor_type,
                       cudaDataType execution) {
  return with_element<float, double>(function, handle, type, [&](auto element) {
    using T = decltype(element);
    if (factor_type != type || execution != type) return refuse_types(function, handle);
    return rotg(function, handle, static_cast<T*>(a), static_cast<T*>(b), static_cast<T*>(c),
                static_cast<T*>(s));
  });
}

}  // namespace
}  // namespace emulator::blas

#define REDUCED n, x, incx, result
DEFINE_CUBLAS_INDEX(amax, EMULATOR_CUBLAS_AMAX, REDUCED)
DEFINE_CUBLAS_INDEX(amin, EMULATOR_CUBLAS_AMIN, REDUCED)
DEFINE_CUBLAS_V2(asum, EMULATOR_CUBLAS_ASUM, REDUCED)
DEFINE_CUBLAS_V2_ONE(Scasum, asum, cuComplex, EMULATOR_CUBLAS_ASUM, REDUCED)
DEFINE_CUBLAS_V2_ONE(Dzasum, asum, cuDoubleComplex, EMULATOR_CUBLAS_ASUM, REDUCED)
DEFINE_CUBLAS_V2(nrm2, EMULATOR_CUBLAS_NRM2, REDUCED)
DEFINE_CUBLAS_V2_ONE(Scnrm2, nrm2, cuComplex, EMULATOR_CUBLAS_NRM2, REDUCED)
DEFINE_CUBLAS_V2_ONE(Dznrm2, nrm2, cuDoubleComplex, EMULATOR_CUBLAS_NRM2, REDUCED)
DEFINE_CUBLAS_V2_ALL(axpy, EMULATOR_CUBLAS_AXPY, n, alpha, x, incx, y, incy)
DEFINE_CUBLAS_V2_ALL(copy, EMULATOR_CUBLAS_COPY, n, x, incx, y, incy)
#define DOT n, x, incx, y, incy, result
DEFINE_CUBLAS_V2(dot, EMULATOR_CUBLAS_DOT, DOT)
DEFINE_CUBLAS_V2_COMPLEX(dotu, EMULATOR_CUBLAS_DOT, DOT)
DEFINE_CUBLAS_V2_COMPLEX(dotc, EMULATOR_CUBLAS_DOT, DOT)
#define ROT n, x, incx, y, incy, c, s
DEFINE_CUBLAS_V2_ALL(rot, EMULATOR_CUBLAS_ROT, ROT)
DEFINE_CUBLAS_V2_ONE(Csrot, rot, cuComplex, EMULATOR_CUBLAS_ROT_REAL, ROT)
DEFINE_CUBLAS_V2_ONE(Zdrot, rot, cuDoubleComplex, EMULATOR_CUBLAS_ROT_REAL, ROT)
DEFINE_CUBLAS_V2(rotm, EMULATOR_CUBLAS_ROTM, n, x, incx, y, incy, param)
#define SCAL n, alpha, x, incx
DEFINE_CUBLAS_V2_ALL(scal, EMULATOR_CUBLAS_SCAL, SCAL)
DEFINE_CUBLAS_V2_ONE(Csscal, scal, cuComplex, EMULATOR_CUBLAS_SCAL_REAL, SCAL)
DEFINE_CUBLAS_V2_ONE(Zdscal, scal, cuDoubleComplex, EMULATOR_CUBLAS_SCAL_REAL, SCAL)
DEFINE_CUBLAS_V2_ALL(swap, EMULATOR_CUBLAS_SWAP, n, x, incx, y, incy)

using emulator::detail::as_number;

cublasStatus_t cublasSrotg(cublasHandle_t handle, float* a, float* b, float* c, float* s) {
  return emulator::blas::rotg("cublasSrotg", handle, a, b, c, s);
}
cublasStatus_t cublasDrotg(cublasHandle_t handle, double* a, double* b, double* c, double* s) {
  return emulator::blas::rotg("cublasDrotg", handle, a, b, c, s);
}
cublasStatus_t cublasCrotg(cublasHandle_t handle, cuComplex* a, cuComplex* b, float* c,
                           cuComplex* s) {
  return emulator::blas::rotg("cublasCrotg", handle, as_number(a), as_number(b), c, as_number(s));
}
cublasStatus_t cublasZrotg(cublasHandle_t handle, cuDoubleComplex* a, cuDoubleComplex* b, double* c,
                           cuDoubleComplex* s) {
  return emulator::blas::rotg("cublasZrotg", handle, as_number(a), as_number(b), c, as_number(s));
}
cublasStatus_t cublasSrotmg(cublasHandle_t handle, float* d1, float* d2, float* x1, const float* y1,
                            float* param) {
  return emulator::blas::rotmg("cublasSrotmg", handle, d1, d2, x1, y1, param);
}
cublasStatus_t cublasDrotmg(cublasHandle_t handle, double* d1, double* d2, double* x1,
                            const double* y1, double* param) {
  return emulator::blas::rotmg("cublasDrotmg", handle, d1, d2, x1, y1, param);
}

#define DEFINE_VECTOR_EX(name, function, PARAMETERS, ...)        \
  cublasStatus_t name PARAMETERS(int) {                          \
    return emulator::blas::function(#name, handle, __VA_ARGS__); \
  }                                                              \
  cublasStatus_t name##_64 PARAMETERS(int64_t) {                 \
    return emulator::blas::function(#name, handle, __VA_ARGS__); \
  }
DEFINE_VECTOR_EX(cublasAxpyEx, axpy_ex, EMULATOR_CUBLAS_AXPY_EX, n, alpha, alphaType, x, xType,
                 incx, y, yType, incy, executionType)
DEFINE_VECTOR_EX(cublasScalEx, scal_ex, EMULATOR_CUBLAS_SCAL_EX, n, alpha, alphaType, x, xType,
                 incx, executionType)
DEFINE_VECTOR_EX(cublasCopyEx, copy_ex, EMULATOR_CUBLAS_COPY_EX, n, x, xType, incx, y, yType, incy)
DEFINE_VECTOR_EX(cublasSwapEx, swap_ex, EMULATOR_CUBLAS_SWAP_EX, n, x, xType, incx, y, yType, incy)
#define DOT_EX n, x, xType, incx, y, yType, incy, result, resultType, executionType
DEFINE_VECTOR_EX(cublasDotEx, dot_ex<false>, EMULATOR_CUBLAS_DOT_EX, DOT_EX)
DEFINE_VECTOR_EX(cublasDotcEx, dot_ex<true>, EMULATOR_CUBLAS_DOT_EX, DOT_EX)
#define REDUCE_EX n, x, xType, incx, result, resultType, executionType
DEFINE_VECTOR_EX(cublasNrm2Ex, nrm2_ex, EMULATOR_CUBLAS_REDUCE_EX, REDUCE_EX)
DEFINE_VECTOR_EX(cublasAsumEx, asum_ex, EMULATOR_CUBLAS_REDUCE_EX, REDUCE_EX)
DEFINE_VECTOR_EX(cublasIamaxEx, index_ex, EMULATOR_CUBLAS_INDEX_EX, true, n, x, xType, incx, result)
DEFINE_VECTOR_EX(cublasIaminEx, index_ex, EMULATOR_CUBLAS_INDEX_EX, false, n, x, xType, incx,
                 result)
DEFINE_VECTOR_EX(cublasRotEx, rot_ex, EMULATOR_CUBLAS_ROT_EX, n, x, xType, incx, y, yType, incy, c,
                 s, csType, executionType)
DEFINE_VECTOR_EX(cublasRotmEx, rotm_ex, EMULATOR_CUBLAS_ROTM_EX, n, x, xType, incx, y, yType, incy,
                 param, paramType, executionType)

cublasStatus_t cublasRotgEx(cublasHandle_t handle, void* a, void* b, cudaDataType abType, void* c,
                            void* s, cudaDataType csType, cudaDataType executionType) {
  return emulator::blas::rotg_ex("cublasRotgEx", handle, a, b, abType, c, s, csType, executionType);
}

cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void* d1, cudaDataType d1Type, void* d2,
                             cudaDataType d2Type, void* x1, cudaDataType x1Type, const void* y1,
                             cudaDataType y1Type, void* param, cudaDataType paramType,
                             cudaDataType executionType) {
  using namespace emulator::blas;
  for (const cudaDataType type : {d2Type, x1Type, y1Type, paramType, executionType}) {
    if (type != d1Type) return refuse_types("cublasRotmgEx", handle);
  }
  return with_element<float, double>("cublasRotmgEx", handle, d1Type, [&](auto element) {
    using T = decltype(element);
    return rotmg("cublasRotmgEx", handle, static_cast<T*>(d1), static_cast<T*>(d2),
                 static_cast<T*>(x1), static_cast<const T*>(y1), static_cast<T*>(param));
  });
}
