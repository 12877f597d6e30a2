/// \file
/// What programs may expect of cuBLASLt, the emulator's or NVIDIA's: this file compiles against
/// both.

#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <complex>
#include <cstdint>

#include "libraries/cublas/typed_test.hpp"

using namespace cublas_test;

namespace {

/// A library's object for the length of a scope.
template <class T, cublasStatus_t (*destroy)(T)>
class Owned {
 public:
  template <class Create>
  explicit Owned(Create create) {
    REQUIRE(create(&value_) == success);
  }
  ~Owned() { destroy(value_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  operator T() const { return value_; }

 private:
  T value_ = nullptr;
};
using LtHandle = Owned<cublasLtHandle_t, cublasLtDestroy>;
using Layout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Desc = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;
using TransformDesc = Owned<cublasLtMatrixTransformDesc_t, cublasLtMatrixTransformDescDestroy>;

auto layout(cudaDataType type, int rows, int columns, int ld) {
  return [=](cublasLtMatrixLayout_t* created) {
    return cublasLtMatrixLayoutCreate(created, type, static_cast<std::uint64_t>(rows),
                                      static_cast<std::uint64_t>(columns), ld);
  };
}
auto product_of(cublasComputeType_t compute, cudaDataType scale) {
  return [=](cublasLtMatmulDesc_t* created) {
    return cublasLtMatmulDescCreate(created, compute, scale);
  };
}

template <class T>
void set(cublasLtMatrixLayout_t of, cublasLtMatrixLayoutAttribute_t attribute, T value) {
  CHECK(cublasLtMatrixLayoutSetAttribute(of, attribute, &value, sizeof value) == success);
}
template <class T>
void set(cublasLtMatmulDesc_t of, cublasLtMatmulDescAttributes_t attribute, T value) {
  CHECK(cublasLtMatmulDescSetAttribute(of, attribute, &value, sizeof value) == success);
}

/// Of so many bytes of workspace for an algorithm, which on a GPU may want some.
class Workspace {
 public:
  Workspace() { REQUIRE(cudaMalloc(&data_, bytes) == cudaSuccess); }
  ~Workspace() { cudaFree(data_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  void* get() const { return data_; }
  static constexpr std::size_t bytes = std::size_t{4} << 20;

 private:
  void* data_ = nullptr;
};

template <class T>
struct As;
template <>
struct As<float> {
  static constexpr auto type = CUDA_R_32F;
  static constexpr auto compute = CUBLAS_COMPUTE_32F;
};
template <>
struct As<double> {
  static constexpr auto type = CUDA_R_64F;
  static constexpr auto compute = CUBLAS_COMPUTE_64F;
};

/// Stored in an order, with a leading dimension.
template <class T>
std::vector<T> stored_in(cublasLtOrder_t order, const Dense<T>& a, int ld) {
  return stored(order == CUBLASLT_ORDER_ROW ? op(a, op_t) : a, ld);
}

constexpr int m = 4;
constexpr int n = 6;
constexpr int k = 8;
constexpr int apart = 16;  // leading dimension

/// D = alpha A B + beta C for floats, by a description that the action changes.
struct Product {
  LtHandle handle{cublasLtCreate};
  Desc desc{product_of(CUBLAS_COMPUTE_32F, CUDA_R_32F)};
  Layout a_layout{layout(CUDA_R_32F, m, k, apart)};
  Layout b_layout{layout(CUDA_R_32F, k, n, apart)};
  Layout c_layout{layout(CUDA_R_32F, m, n, apart)};
  Layout d_layout{layout(CUDA_R_32F, m, n, apart)};
  Dense<float> a{m, k, 1};
  Dense<float> b{k, n, 2};
  Dense<float> c{m, n, 3};
  Array<float> a_there{stored(a, apart)};
  Array<float> b_there{stored(b, apart)};
  Array<float> c_there{stored(c, apart)};
  Array<float> d_there{stored(Dense<float>(m, n, 4), apart)};
  Workspace workspace;
  float alpha = 2;
  float beta = 3;

  cublasStatus_t run(const cublasLtMatmulAlgo_t* algo = nullptr) const {
    return run(&alpha, &beta, algo);
  }
  cublasStatus_t run(const float* alpha_pointer, const float* beta_pointer,
                     const cublasLtMatmulAlgo_t* algo = nullptr) const {
    return cublasLtMatmul(handle, desc, alpha_pointer, a_there.get(), a_layout, b_there.get(),
                          b_layout, beta_pointer, c_there.get(), c_layout, d_there.get(), d_layout,
                          algo, workspace.get(), Workspace::bytes, nullptr);
  }
  Dense<float> expected() const { return product(alpha, a, b, beta, c); }
};

}  // namespace

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
