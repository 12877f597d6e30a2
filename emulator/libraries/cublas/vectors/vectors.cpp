/// \file
/// cuBLAS's functions on vectors of one type of number.

#include "libraries/cublas/vectors/vectors.hpp"

#include "libraries/cublas/forms.hpp"

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

using emulator::cublas::as_number;

cublasStatus_t cublasSrotg(cublasHandle_t handle, float* a, float* b, float* c, float* s) {
  return emulator::cublas::rotg("cublasSrotg", handle, a, b, c, s);
}
cublasStatus_t cublasDrotg(cublasHandle_t handle, double* a, double* b, double* c, double* s) {
  return emulator::cublas::rotg("cublasDrotg", handle, a, b, c, s);
}
cublasStatus_t cublasCrotg(cublasHandle_t handle, cuComplex* a, cuComplex* b, float* c,
                           cuComplex* s) {
  return emulator::cublas::rotg("cublasCrotg", handle, as_number(a), as_number(b), c, as_number(s));
}
cublasStatus_t cublasZrotg(cublasHandle_t handle, cuDoubleComplex* a, cuDoubleComplex* b, double* c,
                           cuDoubleComplex* s) {
  return emulator::cublas::rotg("cublasZrotg", handle, as_number(a), as_number(b), c, as_number(s));
}
cublasStatus_t cublasSrotmg(cublasHandle_t handle, float* d1, float* d2, float* x1, const float* y1,
                            float* param) {
  return emulator::cublas::rotmg("cublasSrotmg", handle, d1, d2, x1, y1, param);
}
cublasStatus_t cublasDrotmg(cublasHandle_t handle, double* d1, double* d2, double* x1,
                            const double* y1, double* param) {
  return emulator::cublas::rotmg("cublasDrotmg", handle, d1, d2, x1, y1, param);
}
