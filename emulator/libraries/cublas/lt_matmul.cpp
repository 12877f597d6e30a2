/// \file
/// cuBLASLt's products: whether the descriptions fit together, then the work.

#include <cmath>

#include "libraries/cublas/batches.hpp"
#include "libraries/cublas/lt_descriptions.hpp"
#include "libraries/cublas/products.hpp"

namespace emulator::blas {
namespace {

using namespace emulator::detail;

cublasHandle_t as_handle(cublasLtHandle_t handle) {
  return reinterpret_cast<cublasHandle_t>(handle);
}

// A description that a call was given.
template <class Inside, class Opaque>
Inside description(Call& call, const char* name, const Opaque* opaque) {
  call.not_null({{name, opaque}});
  const auto inside = read<Inside>(opaque);
  if (!inside && opaque != nullptr) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE, name + std::string(" is none, or was destroyed"));
  }
  return inside.value_or(Inside{});
}

bool by_rows(const LtLayout& layout) {
  return layout.order == CUBLASLT_ORDER_ROW;
}
std::int64_t rows_of(const LtLayout& layout) {
  return static_cast<std::int64_t>(layout.rows);
}
std::int64_t columns_of(const LtLayout& layout) {
  return static_cast<std::int64_t>(layout.columns);
}
cudaDataType type_of(const LtLayout& layout) {
  return static_cast<cudaDataType>(layout.type);
}

// As it lies in memory: what is stored row by row is the transposed one, column by column.
template <class T>
Rectangle<T> memory_of(const LtLayout& layout, T* data) {
  const bool rows_first = by_rows(layout);
  return {data, rows_first ? columns_of(layout) : rows_of(layout),
          rows_first ? rows_of(layout) : columns_of(layout), layout.leading_dimension};
}

template <class T>
ConstMatrix<T> operand(const LtLayout& layout, std::int32_t operation, const T* data) {
  const auto op = static_cast<cublasOperation_t>(operation);
  return {data, layout.leading_dimension, is_transposed(op) != by_rows(layout), is_conjugated(op)};
}

// Element (i, j) of a matrix.
template <class T>
T& element(const LtLayout& layout, T* data, std::int64_t i, std::int64_t j) {
  return by_rows(layout) ? data[i * layout.leading_dimension + j]
                         : data[i + j * layout.leading_dimension];
}

std::string shape(std::uint64_t rows, std::uint64_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

void check_layout(Call& call, const std::string& matrix, const LtLayout& layout) {
  call.note(("rows of " + matrix).c_str(), rows_of(layout));
  call.note(("columns of " + matrix).c_str(), columns_of(layout));
  if (layout.order != CUBLASLT_ORDER_COL && layout.order != CUBLASLT_ORDER_ROW) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, "the order of " + matrix + " is " +
                                                 std::to_string(layout.order) +
                                                 ", which is not modelled");
  }
  call.leading_dimension(("ld of " + matrix).c_str(), layout.leading_dimension,
                         by_rows(layout) ? columns_of(layout) : rows_of(layout));
  call.at_least(("batch count of " + matrix).c_str(), layout.count, 1);
}

template <class Factor>
constexpr cudaDataType scale_of() {
  if constexpr (std::is_same_v<Factor, float>) return CUDA_R_32F;
  if constexpr (std::is_same_v<Factor, double>) return CUDA_R_64F;
  if constexpr (std::is_same_v<Factor, std::complex<float>>) return CUDA_C_32F;
  if constexpr (std::is_same_v<Factor, std::complex<double>>) return CUDA_C_64F;
  if constexpr (std::is_same_v<Factor, std::int32_t>) return CUDA_R_32I;
  if constexpr (std::is_same_v<Factor, Bfloat16>) return CUDA_R_16BF;
  return CUDA_R_16F;
}

// D = act(alpha op(A) op(B) + beta C + bias), as the descriptions say.
struct Matmul {
  LtMatmul desc;
  LtLayout a;
  LtLayout b;
  LtLayout c;
  LtLayout d;

  std::int64_t m() const { return rows_of(d); }
  std::int64_t n() const { return columns_of(d); }
  std::int64_t k() const {
    return is_transposed(static_cast<cublasOperation_t>(desc.transa)) ? rows_of(a) : columns_of(a);
  }
  cublasComputeType_t compute() const { return static_cast<cublasComputeType_t>(desc.compute); }
  bool has_bias() const { return (desc.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0; }
  bool cuts_off() const { return (desc.epilogue & CUBLASLT_EPILOGUE_RELU) != 0; }
  bool has_gelu() const { return (desc.epilogue & CUBLASLT_EPILOGUE_GELU) != 0; }

  Matmul(Call& call, cublasLtMatmulDesc_t description_of_product, cublasLtMatrixLayout_t Adesc,
         cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc)
      : desc(description<LtMatmul>(call, "the product's description", description_of_product)),
        a(description<LtLayout>(call, "Adesc", Adesc)),
        b(description<LtLayout>(call, "Bdesc", Bdesc)),
        c(description<LtLayout>(call, "Cdesc", Cdesc)),
        d(description<LtLayout>(call, "Ddesc", Ddesc)) {
    if (call.goes_on()) check(call);
  }

  // Calls `use` with the Types of the product.
  template <class Use>
  void with(Call& call, Use use) const {
    const bool is_modelled =
        with_types(compute(), type_of(a), type_of(b), type_of(d), [&](auto types) {
          constexpr cudaDataType wanted = scale_of<typename decltype(types)::FactorType>();
          if (desc.scale != wanted) {
            return call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                               "the scale type is " + std::to_string(desc.scale) +
                                   ", with these types of elements it has to be " +
                                   std::to_string(wanted));
          }
          using In = typename decltype(types)::InType;
          using T = typename decltype(types)::Computed;
          if (desc.epilogue != CUBLASLT_EPILOGUE_DEFAULT &&
              (is_complex<T> || std::is_same_v<In, std::int8_t>)) {
            return refuse(call, "epilogue " + std::to_string(desc.epilogue) + " for such elements");
          }
          use(types);
        });
    if (!is_modelled) {
      call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                  unmodelled_types(compute(), type_of(a), type_of(b), type_of(d)));
    }
  }

 private:
  static void refuse(Call& call, const std::string& what) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, what + " is not modelled");
  }

  void check(Call& call) const {
    call.operation("transa", static_cast<cublasOperation_t>(desc.transa));
    call.operation("transb", static_cast<cublasOperation_t>(desc.transb));
    check_layout(call, "A", a);
    check_layout(call, "B", b);
    check_layout(call, "C", c);
    check_layout(call, "D", d);
    call.note("epilogue", desc.epilogue);
    check_shapes(call);
    if (desc.transc != CUBLAS_OP_N) refuse(call, "transposing C");
    if (desc.fill != CUBLAS_FILL_MODE_FULL) refuse(call, "a triangle of D alone");
    if (desc.pointer_mode != CUBLASLT_POINTER_MODE_HOST &&
        desc.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE) {
      refuse(call, "pointer mode " + std::to_string(desc.pointer_mode));
    }
    if (c.type != d.type) refuse(call, "a C of another type than D");
    check_epilogue(call);
    check_bytes(call, compute(), desc.transa != CUBLAS_OP_N, desc.transb != CUBLAS_OP_N, m(), n(),
                a.leading_dimension, b.leading_dimension);
  }

  void check_shapes(Call& call) const {
    const auto op_shape = [](const LtLayout& layout, std::int32_t op, auto use) {
      return op == CUBLAS_OP_N ? use(layout.rows, layout.columns)
                               : use(layout.columns, layout.rows);
    };
    const auto rows = [](std::uint64_t r, std::uint64_t) { return r; };
    const auto columns = [](std::uint64_t, std::uint64_t r) { return r; };
    const std::uint64_t inner = op_shape(a, desc.transa, columns);
    if (inner != op_shape(b, desc.transb, rows)) {
      call.refuse(CUBLAS_STATUS_INVALID_VALUE, "op(A) is " + op_shape(a, desc.transa, shape) +
                                                   " and op(B) " + op_shape(b, desc.transb, shape) +
                                                   ": they cannot be multiplied");
    }
    const std::uint64_t m = op_shape(a, desc.transa, rows);
    const std::uint64_t n = op_shape(b, desc.transb, columns);
    const auto fits = [&](const char* name, const LtLayout& layout) {
      if (layout.rows == m && layout.columns == n) return;
      call.refuse(
          CUBLAS_STATUS_INVALID_VALUE,
          name + (" is " + shape(layout.rows, layout.columns)) + ", op(A) op(B) is " + shape(m, n));
    };
    fits("C", c);
    fits("D", d);
    if (a.count != d.count || b.count != d.count || c.count != d.count) {
      call.refuse(CUBLAS_STATUS_INVALID_VALUE,
                  "the batch counts of A, B, C and D are " + std::to_string(a.count) + ", " +
                      std::to_string(b.count) + ", " + std::to_string(c.count) + " and " +
                      std::to_string(d.count));
    }
  }

  void check_epilogue(Call& call) const {
    switch (desc.epilogue) {
      case CUBLASLT_EPILOGUE_DEFAULT:
      case CUBLASLT_EPILOGUE_RELU:
      case CUBLASLT_EPILOGUE_BIAS:
      case CUBLASLT_EPILOGUE_RELU_BIAS:
      case CUBLASLT_EPILOGUE_GELU:
      case CUBLASLT_EPILOGUE_GELU_BIAS:
        break;
      default:
        refuse(call, "epilogue " + std::to_string(desc.epilogue));
    }
    // So on an H200, with CUDA 13.0.
    const bool is_activation_alone =
        desc.epilogue == CUBLASLT_EPILOGUE_RELU || desc.epilogue == CUBLASLT_EPILOGUE_GELU;
    if (is_activation_alone && desc.bias != nullptr) {
      call.refuse(CUBLAS_STATUS_INVALID_VALUE, "a bias pointer is set, and epilogue " +
                                                   std::to_string(desc.epilogue) + " adds no bias");
    }
    if (has_bias() && desc.bias_type != -1 && desc.bias_type != static_cast<std::int32_t>(d.type)) {
      refuse(call, "a bias of another type than D");
    }
  }
};

// The approximation that the library uses, too.
template <class T>
T gelu(T x) {
  constexpr T root_of_2_over_pi = T(0.7978845608028654);
  return x / 2 * (1 + std::tanh(root_of_2_over_pi * (x + T(0.044715) * x * x * x)));
}

// One product with its operands.
template <class T, class In, class Out>
struct Solver {
  const Matmul& matmul;
  Arithmetic arithmetic;
  T alpha;
  T beta;

  bool has_product() const { return alpha != T(0) && matmul.k() != 0; }

  void access(Call& call, const std::string& suffix, const In* a, const In* b, const Out* c, Out* d,
              const Out* bias) const {
    if (has_product()) {
      call.reads("A" + suffix, memory_of(matmul.a, a));
      call.reads("B" + suffix, memory_of(matmul.b, b));
    }
    if (beta != T(0)) call.reads("C" + suffix, memory_of(matmul.c, c));
    if (matmul.has_bias()) call.reads("the bias" + suffix, Line<const Out>{bias, matmul.m()});
    call.writes("D" + suffix, memory_of(matmul.d, d));
  }

  void run(const In* a, const In* b, const Out* c, Out* d, const Out* bias) const {
    const std::int64_t m = matmul.m();
    std::vector<T> sums(static_cast<std::size_t>(m * matmul.n()));
    if (has_product()) {
      add_product_of<T, In>(arithmetic, m, matmul.n(), matmul.k(), alpha,
                            operand(matmul.a, matmul.desc.transa, a),
                            operand(matmul.b, matmul.desc.transb, b), {sums.data(), m});
    }
    auto sum = sums.begin();
    for (std::int64_t j = 0; j < matmul.n(); ++j) {
      for (std::int64_t i = 0; i < m; ++i, ++sum) {
        T value = *sum;
        if (beta != T(0)) value += beta * static_cast<T>(to_number(element(matmul.c, c, i, j)));
        if (matmul.has_bias()) value += static_cast<T>(to_number(bias[i]));
        round_to(element(matmul.d, d, i, j), activated(value));
      }
    }
  }

 private:
  T activated(T value) const {
    if constexpr (!is_complex<T>) {
      if (matmul.cuts_off()) return value > 0 ? value : 0;
      if (matmul.has_gelu()) return gelu(value);
    }
    return value;
  }
};

bool same_layout(const LtLayout& a, const LtLayout& b) {
  return a.order == b.order && a.leading_dimension == b.leading_dimension && a.stride == b.stride;
}

}  // namespace
}  // namespace emulator::blas

using namespace emulator::blas;

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* A, cublasLtMatrixLayout_t Adesc, const void* B,
                              cublasLtMatrixLayout_t Bdesc, const void* beta, const void* C,
                              cublasLtMatrixLayout_t Cdesc, void* D, cublasLtMatrixLayout_t Ddesc,
                              const cublasLtMatmulAlgo_t* algo, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t stream) {
  Call call("cublasLtMatmul", as_handle(handle));
  const Matmul matmul(call, desc, Adesc, Bdesc, Cdesc, Ddesc);
  if (!call.goes_on()) return call.status();
  call.use(stream, static_cast<cublasPointerMode_t>(matmul.desc.pointer_mode));
  if (algo != nullptr && !is_the_algorithm(*algo)) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE, "algo is none of this library's");
  }
  if (workspace_bytes != 0 && (reinterpret_cast<std::uintptr_t>(workspace) % 256 != 0)) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE, "the workspace is not aligned to 256 bytes");
  }
  if (C == D && C != nullptr && !same_layout(matmul.c, matmul.d)) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE, "C may be D only if they are described alike");
  }
  if (matmul.has_bias()) call.not_null({{"the bias", matmul.desc.bias}});
  matmul.with(call, [&](auto types) {
    using T = typename decltype(types)::Computed;
    using In = typename decltype(types)::InType;
    using Out = typename decltype(types)::OutType;
    using Factor = typename decltype(types)::FactorType;
    if (!call.goes_on() || matmul.m() == 0 || matmul.n() == 0) return;
    if (!call.starts({{"alpha", alpha}, {"beta", beta}, {"D", D}})) return;
    const Solver<T, In, Out> solver{
        matmul, arithmetic_of(matmul.compute(), type_of(matmul.a), CUBLAS_DEFAULT_MATH),
        static_cast<T>(to_number(call.factor("alpha", static_cast<const Factor*>(alpha)))),
        static_cast<T>(to_number(call.factor("beta", static_cast<const Factor*>(beta))))};
    const auto a = strided(static_cast<const In*>(A), matmul.a.stride);
    const auto b = strided(static_cast<const In*>(B), matmul.b.stride);
    const auto c = strided(static_cast<const Out*>(C), matmul.c.stride);
    const auto d = strided(static_cast<Out*>(D), matmul.d.stride);
    const auto bias = strided(static_cast<const Out*>(matmul.desc.bias), matmul.desc.bias_stride);
    const std::int32_t count = matmul.d.count;
    for (std::int64_t i = 0; i < count && call.goes_on(); ++i) {
      solver.access(call, count == 1 ? "" : "[" + std::to_string(i) + "]", a(i), b(i), c(i), d(i),
                    bias(i));
    }
    for (std::int64_t i = 0; i < count && call.goes_on(); ++i) {
      solver.run(a(i), b(i), c(i), d(i), bias(i));
    }
  });
  return call.status();
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t Adesc,
    cublasLtMatrixLayout_t Bdesc, cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requested, cublasLtMatmulHeuristicResult_t results[],
    int* found) {
  Call call("cublasLtMatmulAlgoGetHeuristic", as_handle(handle));
  call.not_null({{"the results", results}, {"the number of results", found}});
  if (!call.goes_on()) return call.status();
  *found = 0;
  call.at_least("requestedAlgoCount", requested, 1);
  description<LtPreference>(call, "the preference", preference);
  const Matmul matmul(call, desc, Adesc, Bdesc, Cdesc, Ddesc);
  if (call.goes_on()) matmul.with(call, [](auto) {});
  if (!call.goes_on()) return call.status();
  results[0] = {the_algorithm(), 0, CUBLAS_STATUS_SUCCESS, 1, {}};
  *found = 1;
  return call.status();
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
                                       cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
                                       const cublasLtMatmulAlgo_t* algo,
                                       cublasLtMatmulHeuristicResult_t* result) {
  Call call("cublasLtMatmulAlgoCheck", as_handle(handle));
  call.not_null({{"algo", algo}, {"result", result}});
  if (call.goes_on() && !is_the_algorithm(*algo)) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE, "algo is none of this library's");
  }
  const Matmul matmul(call, desc, Adesc, Bdesc, Cdesc, Ddesc);
  if (call.goes_on()) matmul.with(call, [](auto) {});
  if (!call.goes_on()) return call.status();
  result->workspaceSize = 0;
  result->state = CUBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
  return call.status();
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType_t, cudaDataType_t Atype, cudaDataType_t Btype,
                                        cudaDataType_t, cudaDataType_t Dtype, int requested,
                                        int ids[], int* found) {
  Call call("cublasLtMatmulAlgoGetIds", as_handle(handle));
  call.not_null({{"the ids", ids}, {"the number of ids", found}});
  call.at_least("requestedAlgoCount", requested, 1);
  if (!call.goes_on()) return call.status();
  *found = 0;
  if (!with_types(compute, Atype, Btype, Dtype, [](auto) {})) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, unmodelled_types(compute, Atype, Btype, Dtype));
    return call.status();
  }
  ids[0] = 0;
  *found = 1;
  return call.status();
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType_t, cudaDataType_t Atype, cudaDataType_t Btype,
                                      cudaDataType_t, cudaDataType_t Dtype, int id,
                                      cublasLtMatmulAlgo_t* algo) {
  Call call("cublasLtMatmulAlgoInit", as_handle(handle));
  call.not_null({{"algo", algo}});
  if (id != 0) call.refuse(CUBLAS_STATUS_INVALID_VALUE, "the emulator's one algorithm is number 0");
  if (call.goes_on() && !with_types(compute, Atype, Btype, Dtype, [](auto) {})) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, unmodelled_types(compute, Atype, Btype, Dtype));
  }
  if (call.goes_on()) *algo = the_algorithm();
  return call.status();
}

namespace emulator::blas {
namespace {

// C = alpha op(A) + beta op(B) for elements of one type.
template <class T, class Element>
void transform(Call& call, const LtTransform& desc, const void* alpha, const void* A,
               const LtLayout& a, const void* beta, const void* B, const LtLayout& b, void* C,
               const LtLayout& c) {
  // Halves may be scaled by floats.
  const auto factor = [&](const char* name, const void* pointer) {
    if (pointer == nullptr) return T(0);
    if constexpr (!std::is_same_v<T, Element>) {
      if (desc.scale == scale_of<Element>()) {
        return to_number(call.factor(name, static_cast<const Element*>(pointer)));
      }
    }
    return call.factor(name, static_cast<const T*>(pointer));
  };
  if (!call.starts({{"alpha", alpha}, {"C", C}})) return;
  const T a_factor = factor("alpha", alpha);
  const T b_factor = B == nullptr ? T(0) : factor("beta", beta);
  const auto at = [&](const LtLayout& layout, std::int32_t op, const void* data, std::int64_t i,
                      std::int64_t j) {
    const auto operation = static_cast<cublasOperation_t>(op);
    const auto* const elements = static_cast<const Element*>(data);
    const Element& found = is_transposed(operation) ? element(layout, elements, j, i)
                                                    : element(layout, elements, i, j);
    return conjugate(static_cast<T>(to_number(found)), is_conjugated(operation));
  };
  for (std::int64_t index = 0; index < c.count; ++index) {
    const auto* const a_data = strided(static_cast<const Element*>(A), a.stride)(index);
    const auto* const b_data = strided(static_cast<const Element*>(B), b.stride)(index);
    auto* const c_data = strided(static_cast<Element*>(C), c.stride)(index);
    if (a_factor != T(0)) call.reads("A", memory_of(a, a_data));
    if (b_factor != T(0)) call.reads("B", memory_of(b, b_data));
    call.writes("C", memory_of(c, c_data));
    if (!call.goes_on()) return;
    for (std::int64_t j = 0; j < columns_of(c); ++j) {
      for (std::int64_t i = 0; i < rows_of(c); ++i) {
        T value = 0;
        if (a_factor != T(0)) value += a_factor * at(a, desc.transa, a_data, i, j);
        if (b_factor != T(0)) value += b_factor * at(b, desc.transb, b_data, i, j);
        round_to(element(c, c_data, i, j), value);
      }
    }
  }
}

}  // namespace
}  // namespace emulator::blas

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t desc,
                                       const void* alpha, const void* A,
                                       cublasLtMatrixLayout_t Adesc, const void* beta,
                                       const void* B, cublasLtMatrixLayout_t Bdesc, void* C,
                                       cublasLtMatrixLayout_t Cdesc, cudaStream_t stream) {
  Call call("cublasLtMatrixTransform", as_handle(handle));
  const auto transform_desc = description<LtTransform>(call, "the description", desc);
  const auto a = description<LtLayout>(call, "Adesc", Adesc);
  const auto c = description<LtLayout>(call, "Cdesc", Cdesc);
  const auto b = B == nullptr ? LtLayout{} : description<LtLayout>(call, "Bdesc", Bdesc);
  if (!call.goes_on()) return call.status();
  if (transform_desc.pointer_mode != CUBLASLT_POINTER_MODE_HOST &&
      transform_desc.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                "pointer mode " + std::to_string(transform_desc.pointer_mode) + " is not modelled");
    return call.status();
  }
  call.use(stream, static_cast<cublasPointerMode_t>(transform_desc.pointer_mode));
  call.operation("transa", static_cast<cublasOperation_t>(transform_desc.transa));
  call.operation("transb", static_cast<cublasOperation_t>(transform_desc.transb));
  const auto check = [&](const char* name, const LtLayout& layout, std::int32_t op) {
    check_layout(call, name, layout);
    const auto rows = op == CUBLAS_OP_N ? layout.rows : layout.columns;
    const auto columns = op == CUBLAS_OP_N ? layout.columns : layout.rows;
    if (rows != c.rows || columns != c.columns || layout.count != c.count) {
      call.refuse(CUBLAS_STATUS_INVALID_VALUE, "op(" + std::string(name) + ") is " +
                                                   shape(rows, columns) + ", C is " +
                                                   shape(c.rows, c.columns));
    }
    if (layout.type != c.type) {
      call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, "converting types is not modelled");
    }
  };
  check("A", a, transform_desc.transa);
  if (B != nullptr) check("B", b, transform_desc.transb);
  check("C", c, CUBLAS_OP_N);
  if (!call.goes_on() || c.rows == 0 || c.columns == 0) return call.status();
  const auto solve = [&](auto number, auto stored_as) {
    using T = decltype(number);
    using Element = decltype(stored_as);
    if (transform_desc.scale != scale_of<T>() && transform_desc.scale != scale_of<Element>()) {
      return call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                         "the scale type is " + std::to_string(transform_desc.scale) +
                             ", with these elements it has to be " + std::to_string(scale_of<T>()));
    }
    transform<T, Element>(call, transform_desc, alpha, A, a, beta, B, b, C, c);
  };
  switch (type_of(c)) {
    case CUDA_R_32F:
      solve(float{}, float{});
      break;
    case CUDA_R_64F:
      solve(double{}, double{});
      break;
    case CUDA_C_32F:
      solve(std::complex<float>{}, std::complex<float>{});
      break;
    case CUDA_C_64F:
      solve(std::complex<double>{}, std::complex<double>{});
      break;
    case CUDA_R_16F:
      solve(float{}, Half{});
      break;
    case CUDA_R_16BF:
      solve(float{}, Bfloat16{});
      break;
    default:
      call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                  "elements of type " + std::to_string(c.type) + " are not modelled");
  }
  return call.status();
}
