/// \file
/// cuBLAS's functions on vectors. Plain loops: memory decides how long they take, and so sizes and
/// increments of 64 bits, and increments of 0, need nothing of their own.

#include <cmath>

#include "cublas/call.hpp"
#include "cublas/forms.hpp"
#include "cublas/openblas.hpp"

using emulator::detail::Call;
using emulator::detail::Line;
using emulator::detail::of_type;

namespace emulator::blas {
namespace {

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
template <class T>
using Sum = typename SumType<T>::Type;

// A function that makes one number of x, and 0 of nothing: `compute(x, i, sum)` for each element.
template <class T, class Result, class Compute>
cublasStatus_t reduce(const char* function, cublasHandle_t handle, std::int64_t n, const T* x,
                      std::int64_t incx, Result* result, Compute compute) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.starts({{"result", result}}) || !call.results("result", result)) return call.status();
  if (n <= 0 || incx <= 0) {
    *result = 0;
    return call.status();
  }
  const Line<const T> line{x, n, incx};
  call.reads("x", line);
  if (call.goes_on()) *result = compute(line);
  return call.status();
}

// The index, from 1, of the first element that is better than all before it. What is no number is
// passed over, as NVIDIA's library does.
template <class T, class Int, class Better>
cublasStatus_t best(const char* function, cublasHandle_t handle, std::int64_t n, const T* x,
                    std::int64_t incx, Int* result, Better better) {
  return reduce(function, handle, n, x, incx, result, [&](const Line<const T>& line) {
    std::int64_t found = 0;
    for (std::int64_t i = 1; i < n; ++i) {
      if (better(std::abs(line[i]), std::abs(line[found])) || std::isnan(line[found])) found = i;
    }
    return static_cast<Int>(found + 1);
  });
}

template <class T, class Int>
cublasStatus_t amax(const char* function, cublasHandle_t handle, Int n, const T* x, Int incx,
                    Int* result) {
  return best(function, handle, n, x, incx, result, [](T a, T b) { return a > b; });
}

template <class T, class Int>
cublasStatus_t amin(const char* function, cublasHandle_t handle, Int n, const T* x, Int incx,
                    Int* result) {
  return best(function, handle, n, x, incx, result, [](T a, T b) { return a < b; });
}

template <class T>
cublasStatus_t asum(const char* function, cublasHandle_t handle, std::int64_t n, const T* x,
                    std::int64_t incx, T* result) {
  return reduce(function, handle, n, x, incx, result, [&](const Line<const T>& line) {
    Sum<T> sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += std::abs(line[i]);
    return static_cast<T>(sum);
  });
}

template <class T>
cublasStatus_t nrm2(const char* function, cublasHandle_t handle, std::int64_t n, const T* x,
                    std::int64_t incx, T* result) {
  return reduce(function, handle, n, x, incx, result, [&](const Line<const T>& line) {
    Sum<T> sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += static_cast<Sum<T>>(line[i]) * line[i];
    return static_cast<T>(std::sqrt(sum));
  });
}

template <class T>
cublasStatus_t dot(const char* function, cublasHandle_t handle, std::int64_t n, const T* x,
                   std::int64_t incx, const T* y, std::int64_t incy, T* result) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.starts({{"result", result}}) || !call.results("result", result)) return call.status();
  if (n <= 0) {
    *result = 0;
    return call.status();
  }
  const Line<const T> a{x, n, incx};
  const Line<const T> b{y, n, incy};
  call.reads("x", a);
  call.reads("y", b);
  if (!call.goes_on()) return call.status();
  Sum<T> sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<Sum<T>>(a[i]) * b[i];
  *result = static_cast<T>(sum);
  return call.status();
}

template <class T>
cublasStatus_t axpy(const char* function, cublasHandle_t handle, std::int64_t n, const T* alpha,
                    const T* x, std::int64_t incx, T* y, std::int64_t incy) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.goes_on() || n <= 0) return call.status();
  if (!call.starts({{"alpha", alpha}})) return call.status();
  const T factor = call.factor("alpha", alpha);
  if (!call.goes_on() || factor == 0) return call.status();
  const Line<const T> from{x, n, incx};
  const Line<T> to{y, n, incy};
  call.reads("x", from);
  call.writes("y", to, true);
  if (!call.goes_on()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) to[i] += factor * from[i];
  return call.status();
}

template <class T>
cublasStatus_t copy(const char* function, cublasHandle_t handle, std::int64_t n, const T* x,
                    std::int64_t incx, T* y, std::int64_t incy) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.goes_on() || n <= 0 || !call.starts({})) return call.status();
  const Line<const T> from{x, n, incx};
  const Line<T> to{y, n, incy};
  call.reads("x", from);
  call.writes("y", to);
  if (!call.goes_on()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) to[i] = from[i];
  return call.status();
}

template <class T>
cublasStatus_t scal(const char* function, cublasHandle_t handle, std::int64_t n, const T* alpha,
                    T* x, std::int64_t incx) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.goes_on() || n <= 0 || incx <= 0) return call.status();
  if (!call.starts({{"alpha", alpha}})) return call.status();
  const T factor = call.factor("alpha", alpha);
  const Line<T> line{x, n, incx};
  call.writes("x", line, true);
  if (!call.goes_on()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) line[i] *= factor;
  return call.status();
}

// A function that changes x and y element by element: `change(x[i], y[i])`, which makes_change()
// returns if the call still goes on then.
template <class T, class MakeChange>
cublasStatus_t change_both(const char* function, cublasHandle_t handle, std::int64_t n, T* x,
                           std::int64_t incx, T* y, std::int64_t incy,
                           std::initializer_list<Call::Pointer> pointers, MakeChange make_change) {
  Call call(function, handle);
  call.note("n", n);
  if (!call.goes_on() || n <= 0 || !call.starts(pointers)) return call.status();
  const auto change = make_change(call);
  const Line<T> a{x, n, incx};
  const Line<T> b{y, n, incy};
  call.writes("x", a, true);
  call.writes("y", b, true);
  if (!call.goes_on()) return call.status();
  for (std::int64_t i = 0; i < n; ++i) change(a[i], b[i]);
  return call.status();
}

template <class T>
cublasStatus_t swap(const char* function, cublasHandle_t handle, std::int64_t n, T* x,
                    std::int64_t incx, T* y, std::int64_t incy) {
  return change_both(function, handle, n, x, incx, y, incy, {},
                     [](Call&) { return [](T& a, T& b) { std::swap(a, b); }; });
}

template <class T>
cublasStatus_t rot(const char* function, cublasHandle_t handle, std::int64_t n, T* x,
                   std::int64_t incx, T* y, std::int64_t incy, const T* c, const T* s) {
  return change_both(function, handle, n, x, incx, y, incy, {{"c", c}, {"s", s}}, [&](Call& call) {
    const T cosine = call.factor("c", c);
    const T sine = call.factor("s", s);
    return [cosine, sine](T& a, T& b) {
      const T old = a;
      a = cosine * old + sine * b;
      b = cosine * b - sine * old;
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

template <class T>
cublasStatus_t rotg(const char* function, cublasHandle_t handle, T* a, T* b, T* c, T* s) {
  Call call(function, handle);
  if (call.starts({{"a", a}, {"b", b}, {"c", c}, {"s", s}}) && call.results("a", a) &&
      call.results("b", b) && call.results("c", c) && call.results("s", s)) {
    of_type<T>(cblas_srotg, cblas_drotg)(a, b, c, s);
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

}  // namespace
}  // namespace emulator::blas

DEFINE_CUBLAS_INDEX(amax, EMULATOR_CUBLAS_AMAX, n, x, incx, result)
DEFINE_CUBLAS_INDEX(amin, EMULATOR_CUBLAS_AMIN, n, x, incx, result)
DEFINE_CUBLAS_V2(asum, EMULATOR_CUBLAS_ASUM, n, x, incx, result)
DEFINE_CUBLAS_V2(axpy, EMULATOR_CUBLAS_AXPY, n, alpha, x, incx, y, incy)
DEFINE_CUBLAS_V2(copy, EMULATOR_CUBLAS_COPY, n, x, incx, y, incy)
DEFINE_CUBLAS_V2(dot, EMULATOR_CUBLAS_DOT, n, x, incx, y, incy, result)
DEFINE_CUBLAS_V2(nrm2, EMULATOR_CUBLAS_NRM2, n, x, incx, result)
DEFINE_CUBLAS_V2(rot, EMULATOR_CUBLAS_ROT, n, x, incx, y, incy, c, s)
DEFINE_CUBLAS_V2(rotm, EMULATOR_CUBLAS_ROTM, n, x, incx, y, incy, param)
DEFINE_CUBLAS_V2(scal, EMULATOR_CUBLAS_SCAL, n, alpha, x, incx)
DEFINE_CUBLAS_V2(swap, EMULATOR_CUBLAS_SWAP, n, x, incx, y, incy)

cublasStatus_t cublasSrotg(cublasHandle_t handle, float* a, float* b, float* c, float* s) {
  return emulator::blas::rotg("cublasSrotg", handle, a, b, c, s);
}
cublasStatus_t cublasDrotg(cublasHandle_t handle, double* a, double* b, double* c, double* s) {
  return emulator::blas::rotg("cublasDrotg", handle, a, b, c, s);
}
cublasStatus_t cublasSrotmg(cublasHandle_t handle, float* d1, float* d2, float* x1, const float* y1,
                            float* param) {
  return emulator::blas::rotmg("cublasSrotmg", handle, d1, d2, x1, y1, param);
}
cublasStatus_t cublasDrotmg(cublasHandle_t handle, double* d1, double* d2, double* x1,
                            const double* y1, double* param) {
  return emulator::blas::rotmg("cublasDrotmg", handle, d1, d2, x1, y1, param);
}
