#pragma once
/// \file
/// How cuBLAS's functions are defined: each of the forms that emulator/libraries/cublas_forms.h
/// declares calls the template of a name in emulator::cublas, for the type of number that it is
/// about, with its name for messages, then the parameters. Complex numbers become C++'s on the way.

#include "emulator/libraries/cublas.h"
#include "libraries/common/captured_call.hpp"
#include "libraries/common/numbers.hpp"

namespace emulator::cublas {

using namespace libraries;

/// A call of cuBLAS, which a graph repeats as it is.
template <class Body>
cublasStatus_t capturable_call(const Body& body) {
  return capturable(CUBLAS_STATUS_EXECUTION_FAILED, body, [&] { return [body] { body(); }; });
}

}  // namespace emulator::cublas

#define DEFINE_CUBLAS_FORM(symbol, text, name, Real, Int, PARAMETERS, ...)               \
  cublasStatus_t symbol PARAMETERS(Real, Int) {                                          \
    return emulator::cublas::capturable_call([=] {                                       \
      return emulator::cublas::with_numbers(                                             \
          [handle](auto... arguments) {                                                  \
            return emulator::cublas::name<emulator::cublas::Number<Real>>(text, handle,  \
                                                                          arguments...); \
          },                                                                             \
          __VA_ARGS__);                                                                  \
    });                                                                                  \
  }

/// cublas<symbol>_v2 and its form with sizes of 64 bits, by the template `name`.
#define DEFINE_CUBLAS_V2_ONE(symbol, name, Real, PARAMETERS, ...)                               \
  DEFINE_CUBLAS_FORM(cublas##symbol##_v2, "cublas" #symbol, name, Real, int, PARAMETERS,        \
                     __VA_ARGS__)                                                               \
  DEFINE_CUBLAS_FORM(cublas##symbol##_v2_64, "cublas" #symbol, name, Real, int64_t, PARAMETERS, \
                     __VA_ARGS__)
#define DEFINE_CUBLAS_ONE(symbol, name, Real, PARAMETERS, ...)                                   \
  DEFINE_CUBLAS_FORM(cublas##symbol, "cublas" #symbol, name, Real, int, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_FORM(cublas##symbol##_64, "cublas" #symbol, name, Real, int64_t, PARAMETERS,     \
                     __VA_ARGS__)

#define DEFINE_CUBLAS_V2(name, PARAMETERS, ...)                       \
  DEFINE_CUBLAS_V2_ONE(S##name, name, float, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_V2_ONE(D##name, name, double, PARAMETERS, __VA_ARGS__)
#define DEFINE_CUBLAS_V2_COMPLEX(name, PARAMETERS, ...)                   \
  DEFINE_CUBLAS_V2_ONE(C##name, name, cuComplex, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_V2_ONE(Z##name, name, cuDoubleComplex, PARAMETERS, __VA_ARGS__)
#define DEFINE_CUBLAS_V2_ALL(name, PARAMETERS, ...) \
  DEFINE_CUBLAS_V2(name, PARAMETERS, __VA_ARGS__)   \
  DEFINE_CUBLAS_V2_COMPLEX(name, PARAMETERS, __VA_ARGS__)

#define DEFINE_CUBLAS_COMPLEX(name, PARAMETERS, ...)                   \
  DEFINE_CUBLAS_ONE(C##name, name, cuComplex, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_ONE(Z##name, name, cuDoubleComplex, PARAMETERS, __VA_ARGS__)
#define DEFINE_CUBLAS_ALL(name, PARAMETERS, ...)                    \
  DEFINE_CUBLAS_ONE(S##name, name, float, PARAMETERS, __VA_ARGS__)  \
  DEFINE_CUBLAS_ONE(D##name, name, double, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_COMPLEX(name, PARAMETERS, __VA_ARGS__)

#define DEFINE_CUBLAS_INT_ALL(name, PARAMETERS, ...)                                             \
  DEFINE_CUBLAS_FORM(cublasS##name, "cublasS" #name, name, float, int, PARAMETERS, __VA_ARGS__)  \
  DEFINE_CUBLAS_FORM(cublasD##name, "cublasD" #name, name, double, int, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_FORM(cublasC##name, "cublasC" #name, name, cuComplex, int, PARAMETERS,           \
                     __VA_ARGS__)                                                                \
  DEFINE_CUBLAS_FORM(cublasZ##name, "cublasZ" #name, name, cuDoubleComplex, int, PARAMETERS,     \
                     __VA_ARGS__)

#define DEFINE_CUBLAS_INDEX(name, PARAMETERS, ...)                         \
  DEFINE_CUBLAS_V2_ONE(Is##name, name, float, PARAMETERS, __VA_ARGS__)     \
  DEFINE_CUBLAS_V2_ONE(Id##name, name, double, PARAMETERS, __VA_ARGS__)    \
  DEFINE_CUBLAS_V2_ONE(Ic##name, name, cuComplex, PARAMETERS, __VA_ARGS__) \
  DEFINE_CUBLAS_V2_ONE(Iz##name, name, cuDoubleComplex, PARAMETERS, __VA_ARGS__)
