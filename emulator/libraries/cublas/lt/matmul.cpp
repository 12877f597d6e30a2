/// \file
/// cuBLASLt's products: the work.

#include "libraries/cublas/lt/matmul.hpp"

#include <cmath>
#include <vector>

#include "libraries/cublas/batches.hpp"

namespace emulator::cublas {
namespace {

// The approximation that the library also uses.
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
}  // namespace emulator::cublas

using namespace emulator::cublas;

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* A, cublasLtMatrixLayout_t Adesc, const void* B,
                              cublasLtMatrixLayout_t Bdesc, const void* beta, const void* C,
                              cublasLtMatrixLayout_t Cdesc, void* D, cublasLtMatrixLayout_t Ddesc,
                              const cublasLtMatmulAlgo_t* algo, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t stream) {
  Call call("cublasLtMatmul", as_handle(handle));
  const Matmul matmul(call, desc, Adesc, Bdesc, Cdesc, Ddesc);
  if (!call.ok()) return call.status();
  call.use(stream, static_cast<cublasPointerMode_t>(matmul.desc.pointer_mode));
  if (algo != nullptr && !is_the_algorithm(*algo)) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE, "algo is not one of this library's");
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
    if (!call.ok() || matmul.m() == 0 || matmul.n() == 0) return;
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
    for (std::int64_t i = 0; i < count && call.ok(); ++i) {
      solver.access(call, count == 1 ? "" : "[" + std::to_string(i) + "]", a(i), b(i), c(i), d(i),
                    bias(i));
    }
    for (std::int64_t i = 0; i < count && call.ok(); ++i) {
      solver.run(a(i), b(i), c(i), d(i), bias(i));
    }
  });
  return call.status();
}
