/// \file
/// What programs may expect of cuBLASLt's products, the emulator's or NVIDIA's: this file compiles
/// against both.

#include "libraries/cublas/lt/lt_test.hpp"

using namespace cublas_test;
using namespace cublas_test::lt;

TEST_CASE("cublasLt: a product into another matrix, and in place") {
  Product product;
  CHECK(product.run() == success);
  CHECK(agree(product.d_there.numbers(), stored(product.expected(), apart)));
  CHECK(agree(product.c_there.numbers(), stored(product.c, apart)));
  CHECK(cublasLtMatmul(product.handle, product.desc, &product.alpha, product.a_there.get(),
                       product.a_layout, product.b_there.get(), product.b_layout, &product.beta,
                       product.c_there.get(), product.c_layout, product.c_there.get(),
                       product.c_layout, nullptr, product.workspace.get(), Workspace::bytes,
                       nullptr) == success);
  CHECK(agree(product.c_there.numbers(), stored(product.expected(), apart)));
  product.beta = 0;
  CHECK(product.run() == success);
  CHECK(agree(product.d_there.numbers(), stored(product.expected(), apart)));
}

TEST_CASE_TEMPLATE("cublasLt: transposed, and row by row", T, float, double) {
  const LtHandle handle{cublasLtCreate};
  const Workspace workspace;
  const T alpha = 2;
  const T beta = 3;
  const Dense<T> a(m, k, 1);
  const Dense<T> b(k, n, 2);
  const Dense<T> c(m, n, 3);
  for (const auto op_a : {op_n, op_t}) {
    for (const auto op_b : {op_n, op_t}) {
      for (const auto order : {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW}) {
        CAPTURE(op_a);
        CAPTURE(op_b);
        CAPTURE(order);
        const Desc desc(product_of(As<T>::compute, As<T>::type));
        set(desc, CUBLASLT_MATMUL_DESC_TRANSA, op_a);
        set(desc, CUBLASLT_MATMUL_DESC_TRANSB, op_b);
        const auto as_stored = [&](const Dense<T>& matrix) {
          return layout(As<T>::type, matrix.rows, matrix.columns, apart);
        };
        const Layout a_layout(as_stored(op(a, op_a)));
        const Layout b_layout(as_stored(op(b, op_b)));
        const Layout c_layout(as_stored(c));
        for (const auto& each : {&a_layout, &b_layout, &c_layout}) {
          set(cublasLtMatrixLayout_t{*each}, CUBLASLT_MATRIX_LAYOUT_ORDER, order);
        }
        const Array<T> a_there(stored_in(order, op(a, op_a), apart));
        const Array<T> b_there(stored_in(order, op(b, op_b), apart));
        const Array<T> c_there(stored_in(order, c, apart));
        CHECK(cublasLtMatmul(handle, desc, &alpha, a_there.get(), a_layout, b_there.get(), b_layout,
                             &beta, c_there.get(), c_layout, c_there.get(), c_layout, nullptr,
                             workspace.get(), Workspace::bytes, nullptr) == success);
        CHECK(agree(c_there.numbers(), stored_in(order, product(alpha, a, b, beta, c), apart)));
      }
    }
  }
}

TEST_CASE("cublasLt: many products, a distance apart") {
  const LtHandle handle{cublasLtCreate};
  const Workspace workspace;
  const Desc desc(product_of(CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const Layout a_layout(layout(CUDA_R_32F, m, k, m));
  const Layout b_layout(layout(CUDA_R_32F, k, n, k));
  const Layout c_layout(layout(CUDA_R_32F, m, n, m));
  const auto batch = [](cublasLtMatrixLayout_t of, std::int64_t stride) {
    set(of, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t{2});
    set(of, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
  };
  batch(a_layout, m * k);
  batch(b_layout, 0);
  batch(c_layout, m * n);
  const Dense<float> a(m, 2 * k, 1);
  const Dense<float> b(k, n, 2);
  const auto half_of = [&](int from) {
    return dense<float>(m, k, [&](int i, int j) { return a(i, from + j); });
  };
  const Array<float> a_there(a.values);
  const Array<float> b_there(b.values);
  const Array<float> c_there(Numbers(2 * m * n, no_number));
  CHECK(cublasLtMatmul(handle, desc, &one, a_there.get(), a_layout, b_there.get(), b_layout, &zero,
                       c_there.get(), c_layout, c_there.get(), c_layout, nullptr, workspace.get(),
                       Workspace::bytes, nullptr) == success);
  Numbers expected;
  for (const int from : {0, k}) {
    const auto part = product(1.0F, half_of(from), b, 0.0F, Dense<float>(m, n));
    expected.insert(expected.end(), part.values.begin(), part.values.end());
  }
  CHECK(agree(c_there.numbers(), expected));
}

TEST_CASE("cublasLt: factors on the device") {
  const Product product;
  const Array<float> factors({2, 3});
  set(product.desc, CUBLASLT_MATMUL_DESC_POINTER_MODE, std::int32_t{CUBLASLT_POINTER_MODE_DEVICE});
  CHECK(product.run(factors.get(), factors.get() + 1) == success);
  CHECK(agree(product.d_there.numbers(), stored(product.expected(), apart)));
}

TEST_CASE("cublasLt: bias, ReLU and GELU in the epilogue") {
  const Product product;
  const Numbers bias = {1, -20, 30, -4};
  const Array<float> bias_there(bias);
  struct Case {
    cublasLtEpilogue_t epilogue;
    bool has_bias;
    float (*activate)(float);
  };
  const auto same = [](float x) { return x; };
  const auto relu = [](float x) { return std::max(x, 0.0F); };
  const auto gelu = [](float x) {
    return x / 2 * (1 + std::tanh(0.79788456F * (x + 0.044715F * x * x * x)));
  };
  for (const Case& each :
       {Case{CUBLASLT_EPILOGUE_RELU, false, relu}, Case{CUBLASLT_EPILOGUE_BIAS, true, same},
        Case{CUBLASLT_EPILOGUE_RELU_BIAS, true, relu}, Case{CUBLASLT_EPILOGUE_GELU, false, gelu},
        Case{CUBLASLT_EPILOGUE_GELU_BIAS, true, gelu}}) {
    CAPTURE(each.epilogue);
    set(product.desc, CUBLASLT_MATMUL_DESC_EPILOGUE, each.epilogue);
    set(product.desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER,
        each.has_bias ? bias_there.get() : nullptr);
    // Small sums, where GELU is not just one side or the other.
    const float alpha = 0.03125F;
    const float beta = 0.25F;
    CHECK(product.run(&alpha, &beta) == success);
    const Dense<float> sums = cublas_test::product(alpha, product.a, product.b, beta, product.c);
    const auto expected = dense<float>(m, n, [&](int i, int j) {
      return each.activate(sums(i, j) + (each.has_bias ? bias[static_cast<std::size_t>(i)] : 0));
    });
    CHECK(agree(product.d_there.numbers(), stored(expected, apart), 1e-3));
  }
}

TEST_CASE("cublasLt: the heuristic's algorithm computes the product") {
  const Product product;
  const Preference preference(cublasLtMatmulPreferenceCreate);
  const std::size_t most = Workspace::bytes;
  CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &most, sizeof most) == success);
  cublasLtMatmulHeuristicResult_t results[4] = {};
  int found = 0;
  CHECK(cublasLtMatmulAlgoGetHeuristic(product.handle, product.desc, product.a_layout,
                                       product.b_layout, product.c_layout, product.d_layout,
                                       preference, 4, results, &found) == success);
  REQUIRE(found >= 1);
  for (int i = 0; i < found; ++i) {
    CHECK(results[i].state == success);
    CHECK(results[i].workspaceSize <= most);
    std::int32_t splits = 0;
    CHECK(cublasLtMatmulAlgoConfigGetAttribute(&results[i].algo, CUBLASLT_ALGO_CONFIG_SPLITK_NUM,
                                               &splits, sizeof splits, nullptr) == success);
    CHECK(product.run(&results[i].algo) == success);
    CHECK(agree(product.d_there.numbers(), stored(product.expected(), apart)));
  }
  CHECK(cublasLtMatmulAlgoGetHeuristic(product.handle, product.desc, product.a_layout,
                                       product.b_layout, product.c_layout, product.d_layout,
                                       preference, 0, results, &found) == invalid);
}
