#pragma once
/// \file
/// Products of matrices whose elements have types of their own: which types go together, and how
/// exact the arithmetic is.

#include <algorithm>
#include <string>
#include <vector>

#include "libraries/common/elements.hpp"
#include "libraries/cublas/call.hpp"
#include "libraries/cublas/compute.hpp"

namespace emulator::cublas {

/// To what a product's elements are rounded before they are multiplied.
enum class Inputs { as_they_are, tf32, half, bfloat16 };

struct Arithmetic {
  Inputs inputs = Inputs::as_they_are;
  /// If not 0, sums are halves: after that many products each. Else they are of the type that is
  /// computed with, and rounded once.
  std::int64_t products_a_half = 0;
};

/// The element as the arithmetic takes it.
inline float rounded(float x, Inputs inputs) {
  switch (inputs) {
    case Inputs::as_they_are:
      break;
    case Inputs::tf32:
      return rounded_to_tf32(x);
    case Inputs::half:
      return rounded_by<Half>(x);
    case Inputs::bfloat16:
      return rounded_by<Bfloat16>(x);
  }
  return x;
}
inline double rounded(double x, Inputs) {
  return x;
}
template <class Real>
std::complex<Real> rounded(std::complex<Real> x, Inputs inputs) {
  return {rounded(x.real(), inputs), rounded(x.imag(), inputs)};
}

/// A matrix's elements as numbers that are computed with, without gaps.
template <class T, class In>
std::vector<T> numbers_of(const Rectangle<const In>& matrix, Inputs inputs) {
  std::vector<T> numbers;
  numbers.reserve(static_cast<std::size_t>(matrix.rows * matrix.columns));
  matrix.for_pieces([&](const In* first, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      numbers.push_back(rounded(static_cast<T>(to_number(first[i])), inputs));
    }
  });
  return numbers;
}

/// C += alpha A B, where A is m x k and B k x n, with numbers that are computed with.
template <class T>
void add_product_in(const Arithmetic& arithmetic, std::int64_t m, std::int64_t n, std::int64_t k,
                    T alpha, const ConstMatrix<T>& a, const ConstMatrix<T>& b, const Matrix<T>& c) {
  if constexpr (std::is_same_v<T, float>) {
    if (arithmetic.products_a_half != 0) {
      std::vector<float> sums(static_cast<std::size_t>(m * n));
      for (std::int64_t l = 0; l < k; l += arithmetic.products_a_half) {
        const auto part = [&](const ConstMatrix<float>& matrix, std::int64_t i, std::int64_t j) {
          return ConstMatrix<float>{matrix.at(i, j), matrix.leading_dimension, matrix.transposed};
        };
        add_product(m, n, std::min(arithmetic.products_a_half, k - l), 1, part(a, 0, l),
                    part(b, l, 0), {sums.data(), m});
        for (float& sum : sums) sum = rounded_by<Half>(sum);
      }
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < m; ++i) {
          *c.at(i, j) += alpha * sums[static_cast<std::size_t>(i + j * m)];
        }
      }
      return;
    }
  }
  add_product(m, n, k, alpha, a, b, c);
}

/// C += alpha op(A) op(B), where op(A) is m x k and op(B) k x n.
template <class T, class In>
void add_product_of(const Arithmetic& arithmetic, std::int64_t m, std::int64_t n, std::int64_t k,
                    T alpha, const ConstMatrix<In>& a, const ConstMatrix<In>& b,
                    const Matrix<T>& c) {
  if constexpr (std::is_same_v<T, In>) {
    if (arithmetic.inputs == Inputs::as_they_are) {
      return add_product_in(arithmetic, m, n, k, alpha, a, b, c);
    }
  }
  const auto numbers = [&](const ConstMatrix<In>& matrix, std::int64_t rows, std::int64_t columns) {
    if (matrix.transposed) std::swap(rows, columns);
    return numbers_of<T>(Rectangle<const In>{matrix.data, rows, columns, matrix.leading_dimension},
                         arithmetic.inputs);
  };
  const std::vector<T> a_numbers = numbers(a, m, k);
  const std::vector<T> b_numbers = numbers(b, k, n);
  add_product_in(arithmetic, m, n, k, alpha,
                 ConstMatrix<T>{a_numbers.data(), a.transposed ? k : m, a.transposed, a.conjugated},
                 ConstMatrix<T>{b_numbers.data(), b.transposed ? n : k, b.transposed, b.conjugated},
                 c);
}

/// The types of a product: computed with T, A and B have elements In, C has Out, alpha and beta are
/// a Factor each.
template <class T, class In, class Out, class Factor>
struct Types {
  using Computed = T;
  using InType = In;
  using OutType = Out;
  using FactorType = Factor;
};

/// What a compute type and the handle's mode make of the elements of a product. (Not the algorithm:
/// an H200's cuBLAS 13.1 kept floats with CUBLAS_GEMM_DEFAULT_TENSOR_OP.)
inline Arithmetic arithmetic_of(cublasComputeType_t compute, cudaDataType in, cublasMath_t mode) {
  if (compute == CUBLAS_COMPUTE_16F) return {Inputs::as_they_are, 16};
  if (compute == CUBLAS_COMPUTE_16F_PEDANTIC) return {Inputs::as_they_are, 1};
  if (in != CUDA_R_32F && in != CUDA_C_32F) return {};
  switch (compute) {
    case CUBLAS_COMPUTE_32F_FAST_16F:
      return {Inputs::half};
    case CUBLAS_COMPUTE_32F_FAST_16BF:
      return {Inputs::bfloat16};
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return {Inputs::tf32};
    case CUBLAS_COMPUTE_32F:
      break;
    default:
      return {};
  }
  switch (mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) {
    case CUBLAS_TF32_TENSOR_OP_MATH:
      return {Inputs::tf32};
    case CUBLAS_PEDANTIC_MATH:
      return {};
    case CUBLAS_TENSOR_OP_MATH:
      return {Inputs::half};
    default:
      return {};
  }
}

/// CUBLAS_COMPUTE_16F, 32F, 64F or 32I for their variants, and itself for other values.
inline cublasComputeType_t without_variant(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return CUBLAS_COMPUTE_32I;
    default:
      return compute;
  }
}

/// Calls `use` with the Types that the arguments stand for.
/// \return whether they are modelled
template <class Use>
bool with_types(cublasComputeType_t compute, cudaDataType a_type, cudaDataType b_type,
                cudaDataType c_type, Use use) {
  using Complex = std::complex<float>;
  using DoubleComplex = std::complex<double>;
  const auto try_types = [&](cublasComputeType_t base, cudaDataType in, cudaDataType out,
                             auto types) {
    if (without_variant(compute) != base || a_type != in || b_type != in || c_type != out) {
      return false;
    }
    use(types);
    return true;
  };
  constexpr auto halves = CUBLAS_COMPUTE_16F;
  constexpr auto floats = CUBLAS_COMPUTE_32F;
  constexpr auto doubles = CUBLAS_COMPUTE_64F;
  constexpr auto ints = CUBLAS_COMPUTE_32I;
  return try_types(doubles, CUDA_R_64F, CUDA_R_64F, Types<double, double, double, double>{}) ||
         try_types(doubles, CUDA_C_64F, CUDA_C_64F,
                   Types<DoubleComplex, DoubleComplex, DoubleComplex, DoubleComplex>{}) ||
         try_types(halves, CUDA_R_16F, CUDA_R_16F, Types<float, Half, Half, Half>{}) ||
         try_types(floats, CUDA_R_32F, CUDA_R_32F, Types<float, float, float, float>{}) ||
         try_types(floats, CUDA_R_16F, CUDA_R_16F, Types<float, Half, Half, float>{}) ||
         try_types(floats, CUDA_R_16F, CUDA_R_32F, Types<float, Half, float, float>{}) ||
         try_types(floats, CUDA_R_16BF, CUDA_R_16BF, Types<float, Bfloat16, Bfloat16, float>{}) ||
         try_types(floats, CUDA_R_16BF, CUDA_R_32F, Types<float, Bfloat16, float, float>{}) ||
         try_types(floats, CUDA_R_8I, CUDA_R_32F, Types<float, std::int8_t, float, float>{}) ||
         try_types(floats, CUDA_C_32F, CUDA_C_32F, Types<Complex, Complex, Complex, Complex>{}) ||
         try_types(floats, CUDA_C_8I, CUDA_C_32F,
                   Types<Complex, ComplexInt8, Complex, Complex>{}) ||
         // Doubles hold the sums of products of bytes.
         try_types(ints, CUDA_R_8I, CUDA_R_32I,
                   Types<double, std::int8_t, std::int32_t, std::int32_t>{});
}

/// With CUBLAS_COMPUTE_32I, refuses A and B unless their leading dimensions are multiples of 4, as
/// the units for bytes take four at a time. The one row of a vector may have any.
///
/// These are what an H200's cuBLAS 13.1 had an algorithm for, of 373,248 combinations of
/// transposes, sizes and leading dimensions. If A is transposed, B is not, and k is a multiple of
/// 4, it had one for each of them; else not for some sizes (m = n = k = 100 without a transpose),
/// which pass here.
inline void check_bytes(Call& call, cublasComputeType_t compute, bool transa, bool transb,
                        std::int64_t m, std::int64_t n, std::int64_t lda, std::int64_t ldb) {
  const bool a_is_row = !transa && m == 1 && n != 1;
  const bool b_is_row = transb && n == 1 && m != 1;
  const bool fits = (lda % 4 == 0 || a_is_row) && (ldb % 4 == 0 || b_is_row);
  if (without_variant(compute) != CUBLAS_COMPUTE_32I || fits) return;
  call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
              "lda is " + std::to_string(lda) + " and ldb is " + std::to_string(ldb) +
                  ": with CUBLAS_COMPUTE_32I they have to be multiples of 4");
}

/// `computeType 72 for A, B and C of types 3, 3 and 3 is not modelled`
inline std::string unmodelled_types(cublasComputeType_t compute, cudaDataType a_type,
                                    cudaDataType b_type, cudaDataType c_type) {
  return "computeType " + std::to_string(compute) + " for A, B and C of types " +
         std::to_string(a_type) + ", " + std::to_string(b_type) + " and " + std::to_string(c_type) +
         " is not modelled";
}

}  // namespace emulator::cublas
