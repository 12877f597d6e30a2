#pragma once
#pragma GCC system_header
/// \file
/// cuBLAS's functions on vectors ("level 1").
///
/// A vector is n elements that are an increment apart; with a negative one it is taken from its
/// end, with 0 it is one element n times. A function that computes a number writes it, and the
/// functions with factors read them, where the handle's pointer mode says: on the host or on the
/// device. With n <= 0 nothing is done, and what is computed is 0. A complex number's magnitude is
/// here the sum of its parts' magnitudes, but for nrm2.
///
/// \return CUBLAS_STATUS_INVALID_VALUE for a null factor or a null result

#include "emulator/libraries/cublas_forms.h"

extern "C" {

/// The index of the first element whose magnitude is the largest, counted from 1. 0 if n or the
/// increment is not positive.
#define EMULATOR_CUBLAS_AMAX(Real, Int) \
  (cublasHandle_t handle, Int n, const Real* x, Int incx, Int* result)
EMULATOR_CUBLAS_INDEX(amax, EMULATOR_CUBLAS_AMAX)

/// The same for the smallest magnitude.
#define EMULATOR_CUBLAS_AMIN(Real, Int) \
  (cublasHandle_t handle, Int n, const Real* x, Int incx, Int* result)
EMULATOR_CUBLAS_INDEX(amin, EMULATOR_CUBLAS_AMIN)

/// The sum of the magnitudes. 0 if the increment is not positive.
#define EMULATOR_CUBLAS_ASUM(Real, Int) \
  (cublasHandle_t handle, Int n, const Real* x, Int incx, emulator::detail::Part<Real>* result)
EMULATOR_CUBLAS_V2(asum, EMULATOR_CUBLAS_ASUM)
EMULATOR_CUBLAS_V2_ONE(Scasum, cuComplex, EMULATOR_CUBLAS_ASUM)
EMULATOR_CUBLAS_V2_ONE(Dzasum, cuDoubleComplex, EMULATOR_CUBLAS_ASUM)

/// y = alpha x + y. If alpha is 0, nothing is read.
#define EMULATOR_CUBLAS_AXPY(Real, Int) \
  (cublasHandle_t handle, Int n, const Real* alpha, const Real* x, Int incx, Real* y, Int incy)
EMULATOR_CUBLAS_V2_ALL(axpy, EMULATOR_CUBLAS_AXPY)

/// y = x.
#define EMULATOR_CUBLAS_COPY(Real, Int) \
  (cublasHandle_t handle, Int n, const Real* x, Int incx, Real* y, Int incy)
EMULATOR_CUBLAS_V2_ALL(copy, EMULATOR_CUBLAS_COPY)

/// The sum of x[i] y[i].
#define EMULATOR_CUBLAS_DOT(Real, Int) \
  (cublasHandle_t handle, Int n, const Real* x, Int incx, const Real* y, Int incy, Real* result)
EMULATOR_CUBLAS_V2(dot, EMULATOR_CUBLAS_DOT)
// The same for complex numbers, and with the conjugates of x.
EMULATOR_CUBLAS_V2_COMPLEX(dotu, EMULATOR_CUBLAS_DOT)
EMULATOR_CUBLAS_V2_COMPLEX(dotc, EMULATOR_CUBLAS_DOT)

/// The Euclidean length: the root of the sum of squares, which themselves do not overflow. 0 if the
/// increment is not positive.
#define EMULATOR_CUBLAS_NRM2(Real, Int) \
  (cublasHandle_t handle, Int n, const Real* x, Int incx, emulator::detail::Part<Real>* result)
EMULATOR_CUBLAS_V2(nrm2, EMULATOR_CUBLAS_NRM2)
EMULATOR_CUBLAS_V2_ONE(Scnrm2, cuComplex, EMULATOR_CUBLAS_NRM2)
EMULATOR_CUBLAS_V2_ONE(Dznrm2, cuDoubleComplex, EMULATOR_CUBLAS_NRM2)

/// Rotates the points (x[i], y[i]): x = c x + s y and y = c y - s x; if s is complex, with its
/// conjugate in the second.
#define EMULATOR_CUBLAS_ROT(Real, Int)                                   \
  (cublasHandle_t handle, Int n, Real * x, Int incx, Real * y, Int incy, \
   const emulator::detail::Part<Real>* c, const Real* s)
EMULATOR_CUBLAS_V2_ALL(rot, EMULATOR_CUBLAS_ROT)
/// The same for complex points and a real s.
#define EMULATOR_CUBLAS_ROT_REAL(Real, Int)                              \
  (cublasHandle_t handle, Int n, Real * x, Int incx, Real * y, Int incy, \
   const emulator::detail::Part<Real>* c, const emulator::detail::Part<Real>* s)
EMULATOR_CUBLAS_V2_ONE(Csrot, cuComplex, EMULATOR_CUBLAS_ROT_REAL)
EMULATOR_CUBLAS_V2_ONE(Zdrot, cuDoubleComplex, EMULATOR_CUBLAS_ROT_REAL)

/// The rotation that turns (a, b) into (r, 0): c and s, with r in a, and for real numbers in b the
/// number that c and s can be found from. Has one form only, without sizes.
cublasStatus_t cublasSrotg_v2(cublasHandle_t handle, float* a, float* b, float* c, float* s);
cublasStatus_t cublasDrotg_v2(cublasHandle_t handle, double* a, double* b, double* c, double* s);
cublasStatus_t cublasCrotg_v2(cublasHandle_t handle, cuComplex* a, cuComplex* b, float* c,
                              cuComplex* s);
cublasStatus_t cublasZrotg_v2(cublasHandle_t handle, cuDoubleComplex* a, cuDoubleComplex* b,
                              double* c, cuDoubleComplex* s);

/// The modified rotation: multiplies (x[i], y[i]) by the 2 x 2 matrix H that `param` describes. It
/// is a flag and four numbers h11, h21, h12, h22: with flag -1 these make up H, with 0 its diagonal
/// is 1, with 1 the other diagonal is h12 = 1 and h21 = -1, with -2 H does nothing.
#define EMULATOR_CUBLAS_ROTM(Real, Int) \
  (cublasHandle_t handle, Int n, Real * x, Int incx, Real * y, Int incy, const Real* param)
EMULATOR_CUBLAS_V2(rotm, EMULATOR_CUBLAS_ROTM)

/// The modified rotation that turns (sqrt(d1) x1, sqrt(d2) y1) into (r, 0). Has one form only.
cublasStatus_t cublasSrotmg_v2(cublasHandle_t handle, float* d1, float* d2, float* x1,
                               const float* y1, float* param);
cublasStatus_t cublasDrotmg_v2(cublasHandle_t handle, double* d1, double* d2, double* x1,
                               const double* y1, double* param);

/// x = alpha x. Does nothing if the increment is not positive.
#define EMULATOR_CUBLAS_SCAL(Real, Int) \
  (cublasHandle_t handle, Int n, const Real* alpha, Real* x, Int incx)
EMULATOR_CUBLAS_V2_ALL(scal, EMULATOR_CUBLAS_SCAL)
/// The same for complex numbers and a real factor.
#define EMULATOR_CUBLAS_SCAL_REAL(Real, Int) \
  (cublasHandle_t handle, Int n, const emulator::detail::Part<Real>* alpha, Real* x, Int incx)
EMULATOR_CUBLAS_V2_ONE(Csscal, cuComplex, EMULATOR_CUBLAS_SCAL_REAL)
EMULATOR_CUBLAS_V2_ONE(Zdscal, cuDoubleComplex, EMULATOR_CUBLAS_SCAL_REAL)

/// Exchanges x and y.
#define EMULATOR_CUBLAS_SWAP(Real, Int) \
  (cublasHandle_t handle, Int n, Real * x, Int incx, Real * y, Int incy)
EMULATOR_CUBLAS_V2_ALL(swap, EMULATOR_CUBLAS_SWAP)

}  // extern "C"
