#pragma once
#pragma GCC system_header
/// \file
/// How cuBLAS's functions are declared here: each exists for several types of numbers, S, D, C and
/// Z in their names, and with sizes of 32 and of 64 bits. A macro lists a function's parameters
/// once, with `Real`, the type of the elements whichever it is, and `Int` open.

#include <cstdint>

#include "emulator/libraries/cublas_types.h"

namespace emulator::detail {

template <class T>
struct PartOf {
  using Type = T;
};
template <>
struct PartOf<cuComplex> {
  using Type = float;
};
template <>
struct PartOf<cuDoubleComplex> {
  using Type = double;
};
/// The type of an element's parts: of a complex one float or double, of a real one its own.
template <class T>
using Part = typename PartOf<T>::Type;

}  // namespace emulator::detail

/// cublasSaxpy, cublasSaxpy_64: those that CUDA's headers call cublasSaxpy_v2 and so on.
#define EMULATOR_CUBLAS_V2_ONE(name, Real, PARAMETERS)    \
  cublasStatus_t cublas##name##_v2 PARAMETERS(Real, int); \
  cublasStatus_t cublas##name##_v2_64 PARAMETERS(Real, int64_t);
/// Likewise for functions that have always been as they are.
#define EMULATOR_CUBLAS_ONE(name, Real, PARAMETERS)  \
  cublasStatus_t cublas##name PARAMETERS(Real, int); \
  cublasStatus_t cublas##name##_64 PARAMETERS(Real, int64_t);

/// For float and double, for their complex numbers, and for all of them.
#define EMULATOR_CUBLAS_V2(name, PARAMETERS)         \
  EMULATOR_CUBLAS_V2_ONE(S##name, float, PARAMETERS) \
  EMULATOR_CUBLAS_V2_ONE(D##name, double, PARAMETERS)
#define EMULATOR_CUBLAS_V2_COMPLEX(name, PARAMETERS)     \
  EMULATOR_CUBLAS_V2_ONE(C##name, cuComplex, PARAMETERS) \
  EMULATOR_CUBLAS_V2_ONE(Z##name, cuDoubleComplex, PARAMETERS)
#define EMULATOR_CUBLAS_V2_ALL(name, PARAMETERS) \
  EMULATOR_CUBLAS_V2(name, PARAMETERS) EMULATOR_CUBLAS_V2_COMPLEX(name, PARAMETERS)

#define EMULATOR_CUBLAS_COMPLEX(name, PARAMETERS)     \
  EMULATOR_CUBLAS_ONE(C##name, cuComplex, PARAMETERS) \
  EMULATOR_CUBLAS_ONE(Z##name, cuDoubleComplex, PARAMETERS)
#define EMULATOR_CUBLAS_ALL(name, PARAMETERS)      \
  EMULATOR_CUBLAS_ONE(S##name, float, PARAMETERS)  \
  EMULATOR_CUBLAS_ONE(D##name, double, PARAMETERS) \
  EMULATOR_CUBLAS_COMPLEX(name, PARAMETERS)

/// For all of them, with sizes of 32 bits alone.
#define EMULATOR_CUBLAS_INT_ALL(name, PARAMETERS)          \
  cublasStatus_t cublasS##name PARAMETERS(float, int);     \
  cublasStatus_t cublasD##name PARAMETERS(double, int);    \
  cublasStatus_t cublasC##name PARAMETERS(cuComplex, int); \
  cublasStatus_t cublasZ##name PARAMETERS(cuDoubleComplex, int);

/// cublasIsamax, cublasIdamax and so on, whose result is an index.
#define EMULATOR_CUBLAS_INDEX(name, PARAMETERS)           \
  EMULATOR_CUBLAS_V2_ONE(Is##name, float, PARAMETERS)     \
  EMULATOR_CUBLAS_V2_ONE(Id##name, double, PARAMETERS)    \
  EMULATOR_CUBLAS_V2_ONE(Ic##name, cuComplex, PARAMETERS) \
  EMULATOR_CUBLAS_V2_ONE(Iz##name, cuDoubleComplex, PARAMETERS)
