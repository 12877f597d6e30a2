#pragma once
/// \file
/// The functions of LAPACK, which comes with OpenBLAS, for T = float, double and their complex
/// numbers: lapack::getrf<T> is sgetrf_ and so on. OpenBLAS has no header for these that every
/// system installs.

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "libraries/cusolver/dense/matrix.hpp"

namespace emulator::cusolver::lapack {

using libraries::Real;

/// Fortran takes all arguments by address, and its integers have 32 bits here.
class Int {
 public:
  Int(std::int64_t value) : value_(static_cast<int>(value)) {
    if (value_ != value) {
      throw std::length_error(std::to_string(value) + " is more than an integer of LAPACK's holds");
    }
  }

 private:
  int value_;
};
static_assert(sizeof(Int) == sizeof(int));
using Letter = const char&;
using Size = const Int&;
using Length = std::size_t;  // of a letter; these follow all other arguments

template <class T>
using OneTriangle = void(Letter uplo, Size n, T* a, Size lda, int& info, Length);
template <class T>
using Trtri = void(Letter uplo, Letter diag, Size n, T* a, Size lda, int& info, Length, Length);
template <class T>
using Trtrs = void(Letter uplo, Letter trans, Letter diag, Size n, Size columns, const T* a,
                   Size lda, T* b, Size ldb, int& info, Length, Length, Length);
template <class T>
using Potrs = void(Letter uplo, Size n, Size columns, const T* a, Size lda, T* b, Size ldb,
                   int& info, Length);
template <class T>
using Getrf = void(Size m, Size n, T* a, Size lda, int* pivots, int& info);
template <class T>
using WithPivots = void(Letter, Size n, Size columns, const T* a, Size lda, const int* pivots, T* b,
                        Size ldb, int& info, Length);
template <class T>
using Sytrf = void(Letter uplo, Size n, T* a, Size lda, int* pivots, T* work, Size length,
                   int& info, Length);
template <class T>
using Geqrf = void(Size m, Size n, T* a, Size lda, T* tau, T* work, Size length, int& info);
template <class T>
using Orgqr = void(Size m, Size n, Size k, T* a, Size lda, const T* tau, T* work, Size length,
                   int& info);
template <class T>
using Ormqr = void(Letter side, Letter trans, Size m, Size n, Size k, const T* a, Size lda,
                   const T* tau, T* c, Size ldc, T* work, Size length, int& info, Length, Length);
template <class T>
using Sytrd = void(Letter uplo, Size n, T* a, Size lda, Real<T>* d, Real<T>* e, T* tau, T* work,
                   Size length, int& info, Length);
template <class T>
using Orgtr = void(Letter uplo, Size n, T* a, Size lda, const T* tau, T* work, Size length,
                   int& info, Length);
template <class T>
using Ormtr = void(Letter side, Letter uplo, Letter trans, Size m, Size n, const T* a, Size lda,
                   const T* tau, T* c, Size ldc, T* work, Size length, int& info, Length, Length,
                   Length);
template <class T>
using Gebrd = void(Size m, Size n, T* a, Size lda, Real<T>* d, Real<T>* e, T* tau_q, T* tau_p,
                   T* work, Size length, int& info);
template <class T>
using Orgbr = void(Letter vect, Size m, Size n, Size k, T* a, Size lda, const T* tau, T* work,
                   Size length, int& info, Length);
template <class T>
using Sygst = void(Size type, Letter uplo, Size n, T* a, Size lda, const T* b, Size ldb, int& info,
                   Length);
template <class T>
using Syevd = void(Letter job, Letter uplo, Size n, T* a, Size lda, T* w, T* work, Size length,
                   int* integers, Size count, int& info, Length, Length);
template <class T>
using Heevd = void(Letter job, Letter uplo, Size n, T* a, Size lda, Real<T>* w, T* work,
                   Size length, Real<T>* real_work, Size real_length, int* integers, Size count,
                   int& info, Length, Length);
template <class T>
using RealGeev = void(Letter left, Letter right, Size n, T* a, Size lda, T* w, T* imaginary, T* vl,
                      Size ldvl, T* vr, Size ldvr, T* work, Size length, int& info, Length, Length);
template <class T>
using ComplexGeev = void(Letter left, Letter right, Size n, T* a, Size lda, T* w, T* vl, Size ldvl,
                         T* vr, Size ldvr, T* work, Size length, Real<T>* real_work, int& info,
                         Length, Length);
template <class T>
using RealGesvd = void(Letter of_u, Letter of_vt, Size m, Size n, T* a, Size lda, T* s, T* u,
                       Size ldu, T* vt, Size ldvt, T* work, Size length, int& info, Length, Length);
template <class T>
using ComplexGesvd = void(Letter of_u, Letter of_vt, Size m, Size n, T* a, Size lda, Real<T>* s,
                          T* u, Size ldu, T* vt, Size ldvt, T* work, Size length,
                          Real<T>* real_work, int& info, Length, Length);
template <class T>
using RealGesvj = void(Letter shape, Letter of_u, Letter of_v, Size m, Size n, T* a, Size lda, T* s,
                       Size rows, T* v, Size ldv, T* work, Size length, int& info, Length, Length,
                       Length);
template <class T>
using ComplexGesvj = void(Letter shape, Letter of_u, Letter of_v, Size m, Size n, T* a, Size lda,
                          Real<T>* s, Size rows, T* v, Size ldv, T* work, Size length,
                          Real<T>* real_work, Size real_length, int& info, Length, Length, Length);

#define EMULATOR_LAPACK(name, of_complex, OfReal, OfComplex)           \
  extern "C" OfReal<float> s##name##_;                                 \
  extern "C" OfReal<double> d##name##_;                                \
  extern "C" OfComplex<std::complex<float>> c##of_complex##_;          \
  extern "C" OfComplex<std::complex<double>> z##of_complex##_;         \
  template <class T>                                                   \
  inline constexpr auto* name = s##name##_;                            \
  template <>                                                          \
  inline constexpr auto* name<double> = d##name##_;                    \
  template <>                                                          \
  inline constexpr auto* name<std::complex<float>> = c##of_complex##_; \
  template <>                                                          \
  inline constexpr auto* name<std::complex<double>> = z##of_complex##_;

EMULATOR_LAPACK(potrf, potrf, OneTriangle, OneTriangle)
EMULATOR_LAPACK(potri, potri, OneTriangle, OneTriangle)
EMULATOR_LAPACK(lauum, lauum, OneTriangle, OneTriangle)
EMULATOR_LAPACK(potrs, potrs, Potrs, Potrs)
EMULATOR_LAPACK(trtri, trtri, Trtri, Trtri)
EMULATOR_LAPACK(trtrs, trtrs, Trtrs, Trtrs)
EMULATOR_LAPACK(getrf, getrf, Getrf, Getrf)
EMULATOR_LAPACK(getrs, getrs, WithPivots, WithPivots)
EMULATOR_LAPACK(sytrf, sytrf, Sytrf, Sytrf)
EMULATOR_LAPACK(sytrs, sytrs, WithPivots, WithPivots)
EMULATOR_LAPACK(geqrf, geqrf, Geqrf, Geqrf)
EMULATOR_LAPACK(orgqr, ungqr, Orgqr, Orgqr)
EMULATOR_LAPACK(ormqr, unmqr, Ormqr, Ormqr)
EMULATOR_LAPACK(sytrd, hetrd, Sytrd, Sytrd)
EMULATOR_LAPACK(orgtr, ungtr, Orgtr, Orgtr)
EMULATOR_LAPACK(ormtr, unmtr, Ormtr, Ormtr)
EMULATOR_LAPACK(gebrd, gebrd, Gebrd, Gebrd)
EMULATOR_LAPACK(orgbr, ungbr, Orgbr, Orgbr)
EMULATOR_LAPACK(sygst, hegst, Sygst, Sygst)
EMULATOR_LAPACK(syevd, heevd, Syevd, Heevd)
EMULATOR_LAPACK(geev, geev, RealGeev, ComplexGeev)
EMULATOR_LAPACK(gesvd, gesvd, RealGesvd, ComplexGesvd)
EMULATOR_LAPACK(gesvj, gesvj, RealGesvj, ComplexGesvj)
#undef EMULATOR_LAPACK

template <std::size_t>
inline constexpr Length of_letter = 1;

/// Calls a function with all its arguments but info and the lengths of letters. \return info
template <class... Parameters, class... Arguments>
int run(void (*function)(Parameters...), const Arguments&... arguments) {
  int info = 0;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    function(arguments..., info, of_letter<i>...);
  }
  (std::make_index_sequence<sizeof...(Parameters) - sizeof...(Arguments) - 1>{});
  return info;
}
/// Calls `call` with a work of the length that it asks for itself. \return info
template <class T, class Call>
int with_work(Call call) {
  T wanted{};
  call(&wanted, std::int64_t{-1});
  const auto length = std::max<std::int64_t>(static_cast<std::int64_t>(std::real(wanted)), 1);
  std::vector<T> work(static_cast<std::size_t>(length) + read_beyond);
  return call(work.data(), length);
}
/// Calls a function whose last arguments are a work and its length.
template <class T, class... Parameters, class... Arguments>
int run_with_work(void (*function)(Parameters...), const Arguments&... arguments) {
  return with_work<T>(
      [&](T* work, std::int64_t length) { return run(function, arguments..., work, length); });
}

}  // namespace emulator::cusolver::lapack
