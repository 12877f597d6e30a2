/// \file
/// What programs may expect of cuBLAS's functions with elements of chosen types, and of how exact
/// they are, the emulator's or NVIDIA's: this file compiles against both.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <complex>

#include "libraries/cublas/typed_test.hpp"

using namespace cublas_test;

namespace {

using Complex = std::complex<float>;

std::vector<__half> halves(const Numbers& numbers) {
  std::vector<__half> result;
  for (const float x : numbers) result.push_back(__float2half(x));
  return result;
}
Numbers floats(const std::vector<__half>& numbers) {
  Numbers result;
  for (const __half x : numbers) result.push_back(__half2float(x));
  return result;
}

/// An element's type, and how it is made of a float and made one.
struct OfHalf {
  using Element = __half;
  static constexpr auto type = CUDA_R_16F;
  static Element from(float x) { return __float2half(x); }
  static float to(Element x) { return __half2float(x); }
};
struct OfBfloat16 {
  using Element = __nv_bfloat16;
  static constexpr auto type = CUDA_R_16BF;
  static Element from(float x) { return __float2bfloat16(x); }
  static float to(Element x) { return __bfloat162float(x); }
};

/// Numbers of either sign below 1 that have all bits of a float.
Numbers fractions(int size, unsigned seed) {
  Numbers numbers;
  for (int i = 0; i < size; ++i) {
    seed = seed * 1664525U + 1013904223U;
    numbers.push_back(static_cast<float>(seed >> 8U) / 8388608.0F - 1.0F);
  }
  return numbers;
}

}  // namespace

TEST_CASE_TEMPLATE("cublas: vectors of small floating-point numbers", Type, OfHalf, OfBfloat16) {
  using Element = typename Type::Element;
  const Handle handle;
  const auto type = Type::type;
  const auto there = [](const Numbers& numbers) {
    std::vector<Element> elements;
    for (const float x : numbers) elements.push_back(Type::from(x));
    return elements;
  };
  const auto back = [](const Array<Element>& elements) {
    Numbers numbers;
    for (const Element x : elements.numbers()) numbers.push_back(Type::to(x));
    return numbers;
  };
  const Array<Element> x(there({1, -2, 3}));
  const Array<Element> y(there({4, 5, 6}));
  CHECK(cublasAxpyEx(handle, 3, &two, CUDA_R_32F, x.get(), type, 1, y.get(), type, 1, CUDA_R_32F) ==
        success);
  CHECK(back(y) == Numbers{6, 1, 12});
  CHECK(cublasScalEx(handle, 3, &three, CUDA_R_32F, x.get(), type, 1, CUDA_R_32F) == success);
  CHECK(back(x) == Numbers{3, -6, 9});
  Element result = Type::from(0);
  CHECK(cublasDotEx(handle, 3, x.get(), type, 1, y.get(), type, 1, &result, type, CUDA_R_32F) ==
        success);
  CHECK(Type::to(result) == 120);
  CHECK(cublasDotcEx_64(handle, 2, x.get(), type, 1, y.get(), type, 1, &result, type, CUDA_R_32F) ==
        success);
  CHECK(Type::to(result) == 12);
  const Array<Element> z(there({3, 0, 4}));
  CHECK(cublasNrm2Ex(handle, 3, z.get(), type, 1, &result, type, CUDA_R_32F) == success);
  CHECK(Type::to(result) == 5);
}

TEST_CASE("cublas: vectors of chosen types, float, double and complex") {
  const Handle handle;
  const double twice = 2;
  const Array<double> x({1, -2, 3});
  const Array<double> y({4, 5, 6});
  CHECK(cublasAxpyEx_64(handle, 3, &twice, CUDA_R_64F, x.get(), CUDA_R_64F, 1, y.get(), CUDA_R_64F,
                        1, CUDA_R_64F) == success);
  CHECK(y.numbers() == std::vector<double>{6, 1, 12});
  double sum = 0;
  CHECK(cublasAsumEx(handle, 3, x.get(), CUDA_R_64F, 1, &sum, CUDA_R_64F, CUDA_R_64F) == success);
  CHECK(sum == 6);
  int index = 0;
  CHECK(cublasIamaxEx(handle, 3, x.get(), CUDA_R_64F, 1, &index) == success);
  CHECK(index == 3);
  CHECK(cublasIaminEx(handle, 3, x.get(), CUDA_R_64F, 1, &index) == success);
  CHECK(index == 1);
  CHECK(cublasSwapEx(handle, 2, x.get(), CUDA_R_64F, 1, y.get(), CUDA_R_64F, 1) == success);
  CHECK(x.numbers() == std::vector<double>{6, 1, 3});
  CHECK(cublasCopyEx(handle, 2, x.get() + 1, CUDA_R_64F, 1, y.get(), CUDA_R_64F, 1) == success);
  CHECK(y.numbers() == std::vector<double>{1, 3, 12});
  const double c = 2;
  const double s = 1;
  CHECK(cublasRotEx(handle, 1, x.get(), CUDA_R_64F, 1, y.get(), CUDA_R_64F, 1, &c, &s, CUDA_R_64F,
                    CUDA_R_64F) == success);
  CHECK(x.numbers()[0] == 13);
  CHECK(y.numbers()[0] == -4);

  const Array<Complex> a(std::vector<Complex>{{1, 2}, {3, -1}});
  Complex product = 0;
  CHECK(cublasDotcEx(handle, 2, a.get(), CUDA_C_32F, 1, a.get(), CUDA_C_32F, 1, &product,
                     CUDA_C_32F, CUDA_C_32F) == success);
  CHECK(product == Complex(15, 0));
  CHECK(cublasDotEx(handle, 2, a.get(), CUDA_C_32F, 1, a.get(), CUDA_C_32F, 1, &product, CUDA_C_32F,
                    CUDA_C_32F) == success);
  CHECK(product == Complex(5, -2));
}

TEST_CASE("cublas: vectors of types that do not go together") {
  const Handle handle;
  const Array<float> x({1, 2});
  CHECK(cublasCopyEx(handle, 1, x.get(), CUDA_R_32F, 1, x.get() + 1, CUDA_R_64F, 1) ==
        CUBLAS_STATUS_NOT_SUPPORTED);
  float result = 0;
  CHECK(cublasDotEx(handle, 1, x.get(), CUDA_R_32F, 1, x.get(), CUDA_R_32F, 1, &result, CUDA_R_16F,
                    CUDA_R_32F) == CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("cublas: hgemm, one and many") {
  const Handle handle;
  const __half alpha = __float2half(2);
  const __half beta = __float2half(-1);
  const Array<__half> a(halves({1, 2, 3, 4}));
  const Array<__half> b(halves({1, 10, 2, 20}));
  const auto result = [&](auto multiply) {
    const Array<__half> c(halves({1, 2, 3, 4}));
    CHECK(multiply(c.get()) == success);
    return floats(c.numbers());
  };
  const Numbers expected = {61, 82, 121, 164};
  CHECK(result([&](__half* c) {
          return cublasHgemm(handle, op_n, op_n, 2, 2, 2, &alpha, a.get(), 2, b.get(), 2, &beta, c,
                             2);
        }) == expected);
  CHECK(result([&](__half* c) {
          return cublasHgemmStridedBatched(handle, op_n, op_n, 2, 1, 2, &alpha, a.get(), 2, 0,
                                           b.get(), 2, 2, &beta, c, 2, 2, 2);
        }) == expected);
  CHECK(result([&](__half* c) {
          const Array<const __half*> left_of({a.get(), a.get()});
          const Array<const __half*> right_of({b.get(), b.get() + 2});
          const Array<__half*> results({c, c + 2});
          return cublasHgemmBatched(handle, op_n, op_n, 2, 1, 2, &alpha, left_of.get(), 2,
                                    right_of.get(), 2, &beta, results.get(), 2, 2);
        }) == expected);
}

TEST_CASE("cublas: bytes, multiplied exactly") {
  const Handle handle;
  const int alpha = 1;
  const int beta = 0;
  const Array<std::int8_t> a({127, -128, 3, 4, 127, -128, 5, 6});
  const Array<std::int32_t> c(std::vector<std::int32_t>(4));
  CHECK(cublasGemmEx(handle, op_t, op_n, 2, 2, 4, &alpha, a.get(), CUDA_R_8I, 4, a.get(), CUDA_R_8I,
                     4, &beta, c.get(), CUDA_R_32I, 2, CUBLAS_COMPUTE_32I,
                     CUBLAS_GEMM_DEFAULT) == success);
  CHECK(c.numbers() == std::vector<std::int32_t>{32538, 32552, 32552, 32574});
  const Array<float> d(Numbers(4));
  CHECK(cublasGemmEx(handle, op_t, op_n, 2, 2, 4, &two, a.get(), CUDA_R_8I, 4, a.get(), CUDA_R_8I,
                     4, &zero, d.get(), CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                     CUBLAS_GEMM_DEFAULT) == success);
  CHECK(d.numbers() == Numbers{65076, 65104, 65104, 65148});
}

TEST_CASE_TEMPLATE("cublas: many triangles to solve for", T, float, double) {
  const Handle handle;
  const T alpha = 2;
  const Array<T> a({2, 3, nothing<T>, 4, 4, 5, nothing<T>, 2});
  const Array<T> b({1, 7, 2, 9});
  const Array<const T*> matrices({a.get(), a.get() + 4});
  const Array<T*> results({b.get(), b.get() + 2});
  CHECK(of<T>(cublasStrsmBatched, cublasDtrsmBatched)(handle, left, lower, op_n, non_unit, 2, 1,
                                                      &alpha, matrices.get(), 2, results.get(), 2,
                                                      2) == success);
  // 2 x = 2 and 3 x + 4 y = 14; 4 x = 4 and 5 x + 2 y = 18
  CHECK(agree(b.numbers(), {1, T(2.75), 1, T(6.5)}));
}

TEST_CASE("cublas: how exact a product of floats is, in each mode") {
  const Handle handle;
  constexpr int m = 64;
  constexpr int k = 256;
  const Numbers a = fractions(m * k, 1);
  const Numbers b = fractions(k * m, 2);
  const OnDevice a_there(a);
  const OnDevice b_there(b);
  const OnDevice c_there(Numbers(m * m));
  const auto error = [&](cublasMath_t mode, cublasComputeType_t compute) {
    REQUIRE(cublasSetMathMode(handle, mode) == success);
    CHECK(cublasGemmEx(handle, op_n, op_n, m, m, k, &one, a_there.get(), CUDA_R_32F, m,
                       b_there.get(), CUDA_R_32F, k, &zero, c_there.get(), CUDA_R_32F, m, compute,
                       CUBLAS_GEMM_DEFAULT) == success);
    const Numbers c = c_there.numbers();
    double largest = 0;
    for (int j = 0; j < m; ++j) {
      for (int i = 0; i < m; ++i) {
        double sum = 0;
        double magnitudes = 0;
        for (int l = 0; l < k; ++l) {
          const double term = static_cast<double>(a[static_cast<std::size_t>(i + l * m)]) *
                              static_cast<double>(b[static_cast<std::size_t>(l + j * k)]);
          sum += term;
          magnitudes += std::abs(term);
        }
        const double found = static_cast<double>(c[static_cast<std::size_t>(i + j * m)]);
        largest = std::max(largest, std::abs(found - sum) / magnitudes);
      }
    }
    return largest;
  };
  const double of_float = 1e-6;
  CHECK(error(CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_32F) < of_float);
  CHECK(error(CUBLAS_PEDANTIC_MATH, CUBLAS_COMPUTE_32F) < of_float);
  CHECK(error(CUBLAS_TF32_TENSOR_OP_MATH, CUBLAS_COMPUTE_32F_PEDANTIC) < of_float);
  CHECK(error(CUBLAS_TF32_TENSOR_OP_MATH, CUBLAS_COMPUTE_32F) < 1e-3);
  CHECK(error(CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_32F_FAST_TF32) < 1e-3);
  CHECK(error(CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_32F_FAST_16F) < 1e-3);
  CHECK(error(CUBLAS_DEFAULT_MATH, CUBLAS_COMPUTE_32F_FAST_16BF) < 1e-2);
}
