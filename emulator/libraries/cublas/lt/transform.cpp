/// \file
/// cuBLASLt's sums of matrices, which may be laid out otherwise than the result.

#include "libraries/cublas/batches.hpp"
#include "libraries/cublas/lt/layouts.hpp"

namespace emulator::cublas {
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
    if (!call.ok()) return;
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
}  // namespace emulator::cublas

using namespace emulator::cublas;

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
  if (!call.ok()) return call.status();
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
  if (!call.ok() || c.rows == 0 || c.columns == 0) return call.status();
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
