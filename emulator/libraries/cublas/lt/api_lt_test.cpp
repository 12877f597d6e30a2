/// \file
/// What programs may expect of cuBLASLt, the emulator's or NVIDIA's: this file compiles
/// against both.

#include "libraries/cublas/lt/lt_test.hpp"

using namespace cublas_test;
using namespace cublas_test::lt;

TEST_CASE("cublasLt: attributes have a size, and what was set can be read") {
  const Desc desc(product_of(CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const cublasOperation_t wanted = CUBLAS_OP_T;
  std::int32_t told = 0;
  std::size_t bytes = 0;
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &wanted, sizeof wanted) ==
        success);
  CHECK(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &told, sizeof told,
                                       &bytes) == success);
  CHECK(told == CUBLAS_OP_T);
  CHECK(bytes == 4);
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &wanted, 1) == invalid);
  CHECK(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, nullptr, 4) == invalid);
  CHECK(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0,
                                       &bytes) == success);
  CHECK(bytes == 8);
  CHECK(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, &told, sizeof told,
                                       nullptr) == success);
  CHECK(told == CUBLAS_COMPUTE_32F);
  CHECK(cublasLtMatmulDescGetAttribute(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, &told, sizeof told,
                                       nullptr) == success);
  CHECK(told == CUBLASLT_EPILOGUE_DEFAULT);

  const Layout matrix(layout(CUDA_R_16F, 3, 4, 5));
  std::uint64_t rows = 0;
  CHECK(cublasLtMatrixLayoutGetAttribute(matrix, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof rows,
                                         nullptr) == success);
  CHECK(rows == 3);
  CHECK(cublasLtMatrixLayoutGetAttribute(matrix, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, 4, nullptr) ==
        invalid);
  CHECK(cublasLtMatrixLayoutGetAttribute(matrix, CUBLASLT_MATRIX_LAYOUT_TYPE, &told, sizeof told,
                                         nullptr) == success);
  CHECK(told == CUDA_R_16F);

  const Preference preference(cublasLtMatmulPreferenceCreate);
  const std::size_t most = 1 << 20;
  std::size_t most_told = 0;
  CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &most, sizeof most) == success);
  CHECK(cublasLtMatmulPreferenceGetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &most_told, sizeof most_told, nullptr) == success);
  CHECK(most_told == most);
}

TEST_CASE("cublasLt: descriptions in the program's own variables") {
  cublasLtMatmulDescOpaque_t desc;
  cublasLtMatrixLayoutOpaque_t matrix;
  cublasLtMatmulPreferenceOpaque_t preference;
  CHECK(cublasLtMatmulDescInit(&desc, CUBLAS_COMPUTE_64F, CUDA_R_64F) == success);
  CHECK(cublasLtMatrixLayoutInit(&matrix, CUDA_R_64F, 2, 1, 2) == success);
  CHECK(cublasLtMatmulPreferenceInit(&preference) == success);
  std::int64_t ld = 0;
  CHECK(cublasLtMatrixLayoutGetAttribute(&matrix, CUBLASLT_MATRIX_LAYOUT_LD, &ld, sizeof ld,
                                         nullptr) == success);
  CHECK(ld == 2);
}

TEST_CASE("cublasLt: from columns to rows, and sums") {
  const LtHandle handle{cublasLtCreate};
  const TransformDesc desc([](cublasLtMatrixTransformDesc_t* created) {
    return cublasLtMatrixTransformDescCreate(created, CUDA_R_32F);
  });
  const Dense<float> a(m, n, 1);
  const Dense<float> b(n, m, 2);
  const Array<float> a_there(stored(a, apart));
  const Array<float> b_there(stored(b, apart));
  const Array<float> c_there(Numbers(m * apart, no_number));
  const Layout a_layout(layout(CUDA_R_32F, m, n, apart));
  const Layout b_layout(layout(CUDA_R_32F, n, m, apart));
  const Layout c_layout(layout(CUDA_R_32F, m, n, apart));
  set(c_layout, CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t{CUBLASLT_ORDER_ROW});
  CHECK(cublasLtMatrixTransform(handle, desc, &one, a_there.get(), a_layout, &zero, nullptr,
                                nullptr, c_there.get(), c_layout, nullptr) == success);
  CHECK(agree(c_there.numbers(), stored_in(CUBLASLT_ORDER_ROW, a, apart)));
  const std::int32_t transposed = CUBLAS_OP_T;
  CHECK(cublasLtMatrixTransformDescSetAttribute(desc, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB,
                                                &transposed, sizeof transposed) == success);
  CHECK(cublasLtMatrixTransform(handle, desc, &two, a_there.get(), a_layout, &three, b_there.get(),
                                b_layout, c_there.get(), c_layout, nullptr) == success);
  const auto sum = dense<float>(m, n, [&](int i, int j) { return 2 * a(i, j) + 3 * b(j, i); });
  CHECK(agree(c_there.numbers(), stored_in(CUBLASLT_ORDER_ROW, sum, apart)));
}

TEST_CASE("cublasLt: what makes no sense") {
  const Product product;
  const Layout other(layout(CUDA_R_32F, k + 1, n, apart));
  CHECK(cublasLtMatmul(product.handle, product.desc, &one, product.a_there.get(), product.a_layout,
                       product.b_there.get(), other, &zero, product.c_there.get(), product.c_layout,
                       product.d_there.get(), product.d_layout, nullptr, nullptr, 0,
                       nullptr) == invalid);
  // A bias that the epilogue does not add.
  set(product.desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER,
      static_cast<const void*>(product.a_there.get()));
  for (const cublasLtEpilogue_t epilogue : {CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_GELU}) {
    set(product.desc, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    CHECK(product.run(&one, &zero) == invalid);
  }
}
