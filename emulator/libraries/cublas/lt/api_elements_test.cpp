/// \file
/// What programs may expect of cuBLASLt's products of all types of elements, the emulator's or
/// NVIDIA's: this file compiles against both.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <complex>
#include <cstdint>

#include "libraries/cublas/lt/lt_test.hpp"

using namespace cublas_test;
using namespace cublas_test::lt;

TEST_CASE("cublasLt: halves, with a bias of halves") {
  const LtHandle handle{cublasLtCreate};
  const Workspace workspace;
  const Desc desc(product_of(CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const Dense<float> a(8, 8, 1);
  const Dense<float> b(8, 8, 2);
  const auto as_halves = [](const Dense<float>& numbers) {
    std::vector<__half> halves;
    for (const float x : numbers.values) halves.push_back(__float2half(x));
    return halves;
  };
  const Array<__half> a_there(as_halves(a));
  const Array<__half> b_there(as_halves(b));
  const Array<__half> c_there(as_halves(Dense<float>(8, 8)));
  const Array<__half> bias_there(as_halves(Dense<float>(8, 1, 3)));
  const Layout matrix(layout(CUDA_R_16F, 8, 8, 8));
  set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  set(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias_there.get());
  CHECK(cublasLtMatmul(handle, desc, &one, a_there.get(), matrix, b_there.get(), matrix, &zero,
                       c_there.get(), matrix, c_there.get(), matrix, nullptr, workspace.get(),
                       Workspace::bytes, nullptr) == success);
  Numbers told;
  for (const __half x : c_there.numbers()) told.push_back(__half2float(x));
  const Dense<float> bias(8, 1, 3);
  const Dense<float> sums = product(1.0F, a, b, 0.0F, Dense<float>(8, 8));
  const auto expected = dense<float>(8, 8, [&](int i, int j) { return sums(i, j) + bias(i); });
  CHECK(told == expected.values);
}

TEST_CASE("cublasLt: bytes, whichever matrix is transposed") {
  const LtHandle handle(cublasLtCreate);
  const Workspace workspace;
  const int alpha = 1;
  const int beta = 0;
  // Of A and B, each as small a rectangle as the product needs.
  const auto status = [&](cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k) {
    const auto numbers = [](int count, int period) {
      std::vector<std::int8_t> made;
      for (int i = 0; i < count; ++i) {
        made.push_back(static_cast<std::int8_t>(i % period - period / 2));
      }
      return made;
    };
    const std::vector<std::int8_t> left = numbers(m * k, 23);
    const std::vector<std::int8_t> right = numbers(k * n, 19);
    const Array<std::int8_t> a(left);
    const Array<std::int8_t> b(right);
    const Array<std::int32_t> c(std::vector<std::int32_t>(static_cast<std::size_t>(m * n)));
    const Desc desc(product_of(CUBLAS_COMPUTE_32I, CUDA_R_32I));
    set(desc, CUBLASLT_MATMUL_DESC_TRANSA, transa);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSB, transb);
    const bool ta = transa == op_t;
    const bool tb = transb == op_t;
    const Layout a_layout(layout(CUDA_R_8I, ta ? k : m, ta ? m : k, ta ? k : m));
    const Layout b_layout(layout(CUDA_R_8I, tb ? n : k, tb ? k : n, tb ? n : k));
    const Layout c_layout(layout(CUDA_R_32I, m, n, m));
    const cublasStatus_t result = cublasLtMatmul(
        handle, desc, &alpha, a.get(), a_layout, b.get(), b_layout, &beta, c.get(), c_layout,
        c.get(), c_layout, nullptr, workspace.get(), Workspace::bytes, nullptr);
    if (result != success) return result;
    std::vector<std::int32_t> expected;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        std::int32_t sum = 0;
        for (int l = 0; l < k; ++l) {
          sum += left[static_cast<std::size_t>(ta ? l + i * k : i + l * m)] *
                 right[static_cast<std::size_t>(tb ? j + l * n : l + j * k)];
        }
        expected.push_back(sum);
      }
    }
    CHECK(c.numbers() == expected);
    return result;
  };
  // As an H200 has answered.
  CHECK(status(op_n, op_n, 4, 5, 4) == success);
  CHECK(status(op_n, op_n, 64, 64, 64) == success);
  CHECK(status(op_t, op_n, 5, 6, 8) == success);
  CHECK(status(op_n, op_t, 4, 4, 5) == success);
  CHECK(status(op_t, op_t, 8, 4, 12) == success);
  CHECK(status(op_n, op_n, 1, 64, 64) == success);
  CHECK(status(op_n, op_t, 64, 1, 64) == success);
  CHECK(status(op_n, op_n, 5, 4, 4) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(status(op_n, op_n, 4, 4, 5) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(status(op_n, op_t, 4, 5, 4) == CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(status(op_n, op_t, 1, 1, 4) == CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST_CASE("cublasLt: complex numbers, with the conjugate of one matrix") {
  const LtHandle handle{cublasLtCreate};
  const Workspace workspace;
  const Desc desc(product_of(CUBLAS_COMPUTE_32F, CUDA_C_32F));
  using Complex = std::complex<float>;
  const Complex alpha = {0, 1};
  const Complex none = 0;
  const Array<Complex> a(
      std::vector<Complex>{{1, 2}, {3, 4}});  // one column, so that op(A) is one row
  const Array<Complex> b(std::vector<Complex>{{5, 0}, {0, 6}});
  const Array<Complex> c(std::vector<Complex>{{0, 0}});
  const Layout column(layout(CUDA_C_32F, 2, 1, 2));
  const Layout number(layout(CUDA_C_32F, 1, 1, 1));
  set(desc, CUBLASLT_MATMUL_DESC_TRANSA, op_c);
  CHECK(cublasLtMatmul(handle, desc, &alpha, a.get(), column, b.get(), column, &none, c.get(),
                       number, c.get(), number, nullptr, workspace.get(), Workspace::bytes,
                       nullptr) == success);
  // (1 - 2i) 5 + (3 - 4i) 6i = 29 + 8i
  CHECK(c.numbers()[0] == Complex(-8, 29));
}
