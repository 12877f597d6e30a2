#pragma once
/// \file
/// cuBLASLt's products: whether the descriptions fit together.

#include <string>

#include "libraries/cublas/lt/layouts.hpp"

namespace emulator::cublas {

/// D = act(alpha op(A) op(B) + beta C + bias), as the descriptions say.
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
    if (call.ok()) check(call);
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

}  // namespace emulator::cublas
