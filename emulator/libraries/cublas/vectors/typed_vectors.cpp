/// \file
/// cuBLAS's functions on vectors that take the types of their elements.

#include "libraries/cublas/vectors/vectors.hpp"

namespace emulator::cublas {
namespace {

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
}  // namespace emulator::cublas

#define DEFINE_VECTOR_EX(name, function, PARAMETERS, ...)          \
  cublasStatus_t name PARAMETERS(int) {                            \
    return emulator::cublas::function(#name, handle, __VA_ARGS__); \
  }                                                                \
  cublasStatus_t name##_64 PARAMETERS(int64_t) {                   \
    return emulator::cublas::function(#name, handle, __VA_ARGS__); \
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
  return emulator::cublas::rotg_ex("cublasRotgEx", handle, a, b, abType, c, s, csType,
                                   executionType);
}

cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void* d1, cudaDataType d1Type, void* d2,
                             cudaDataType d2Type, void* x1, cudaDataType x1Type, const void* y1,
                             cudaDataType y1Type, void* param, cudaDataType paramType,
                             cudaDataType executionType) {
  using namespace emulator::cublas;
  for (const cudaDataType type : {d2Type, x1Type, y1Type, paramType, executionType}) {
    if (type != d1Type) return refuse_types("cublasRotmgEx", handle);
  }
  return with_element<float, double>("cublasRotmgEx", handle, d1Type, [&](auto element) {
    using T = decltype(element);
    return rotmg("cublasRotmgEx", handle, static_cast<T*>(d1), static_cast<T*>(d2),
                 static_cast<T*>(x1), static_cast<const T*>(y1), static_cast<T*>(param));
  });
}
