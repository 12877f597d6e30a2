/// \file
/// cuBLAS's products of matrices, one or many, of elements of whatever type.

#include <type_traits>
#include <vector>

#include "libraries/common/elements.hpp"
#include "libraries/cublas/batches.hpp"
#include "libraries/cublas/forms.hpp"
#include "libraries/cublas/matrices/gemm.hpp"
#include "libraries/cublas/products.hpp"

namespace emulator::cublas {
namespace {

// Computed with T: A and B have elements In, C has Out.
template <class T, class In = T, class Out = T>
struct Gemm {
  cublasOperation_t transa;
  cublasOperation_t transb;
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  std::int64_t lda;
  std::int64_t ldb;
  std::int64_t ldc;
  Arithmetic arithmetic = {};
  T alpha = 0;
  T beta = 0;

  Rectangle<const In> a_as_stored(const In* a) const {
    return is_transposed(transa) ? Rectangle<const In>{a, k, m, lda}
                                 : Rectangle<const In>{a, m, k, lda};
  }
  Rectangle<const In> b_as_stored(const In* b) const {
    return is_transposed(transb) ? Rectangle<const In>{b, n, k, ldb}
                                 : Rectangle<const In>{b, k, n, ldb};
  }
  bool has_product() const { return alpha != T(0) && k != 0; }

  // Whether there is anything to do. `result` is C, or the array of its addresses.
  template <class Factor>
  bool starts(Call& call, const Factor* alpha_pointer, const Factor* beta_pointer,
              const void* result, std::int64_t count = 1) {
    call.operation("transa", transa);
    call.operation("transb", transb);
    call.size("m", m);
    call.size("n", n);
    call.size("k", k);
    call.leading_dimension("lda", lda, is_transposed(transa) ? k : m);
    call.leading_dimension("ldb", ldb, is_transposed(transb) ? n : k);
    call.leading_dimension("ldc", ldc, m);
    call.size("batchCount", count);
    if (!call.ok() || m == 0 || n == 0 || count == 0) return false;
    if (!call.starts({{"alpha", alpha_pointer}, {"beta", beta_pointer}, {"C", result}})) {
      return false;
    }
    alpha = static_cast<T>(to_number(call.factor("alpha", alpha_pointer)));
    beta = static_cast<T>(to_number(call.factor("beta", beta_pointer)));
    return call.ok();
  }

  void access(Call& call, const std::string& suffix, const In* a, const In* b, Out* c) const {
    if (has_product()) {
      call.reads("A" + suffix, a_as_stored(a));
      call.reads("B" + suffix, b_as_stored(b));
    }
    call.writes("C" + suffix, Rectangle<Out>{c, m, n, ldc}, beta != T(0));
  }

  void run(const In* a, const In* b, Out* c) const {
    if constexpr (std::is_same_v<T, Out>) {
      scale_pieces(beta, Rectangle<Out>{c, m, n, ldc});
      if (has_product()) add(a, b, {c, ldc});
    } else {
      std::vector<T> result(static_cast<std::size_t>(m * n));
      if (has_product()) add(a, b, {result.data(), m});
      auto sum = result.begin();
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < m; ++i, ++sum) {
          Out& element = c[i + j * ldc];
          round_to(element, beta == T(0) ? *sum : *sum + beta * static_cast<T>(to_number(element)));
        }
      }
    }
  }

 private:
  void add(const In* a, const In* b, const Matrix<T>& c) const {
    add_product_of<T, In>(arithmetic, m, n, k, alpha,
                          {a, lda, is_transposed(transa), is_conjugated(transa)},
                          {b, ldb, is_transposed(transb), is_conjugated(transb)}, c);
  }
};

// Types of elements as arguments -----------------------------------------------------------------

bool is_algorithm(cublasGemmAlgo_t algo) {
  return (algo >= CUBLAS_GEMM_DEFAULT && algo <= CUBLAS_GEMM_ALGO23) ||
         (algo >= CUBLAS_GEMM_DEFAULT_TENSOR_OP && algo <= CUBLAS_GEMM_ALGO15_TENSOR_OP) ||
         algo == CUBLAS_GEMM_AUTOTUNE;
}

// `solve(types, problem)` once the problem has started.
template <class Solve>
cublasStatus_t with_problem(Call& call, const Arguments& args, const void* c, std::int64_t count,
                            Solve solve) {
  if (call.ok() && !is_algorithm(args.algo)) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE,
                "algo is " + std::to_string(args.algo) + ", no cublasGemmAlgo_t");
  }
  if (!call.ok()) return call.status();
  check_bytes(call, args.compute, is_transposed(args.transa), is_transposed(args.transb), args.m,
              args.n, args.lda, args.ldb);
  if (!call.ok()) return call.status();
  const bool is_modelled =
      with_types(args.compute, args.a_type, args.b_type, args.c_type, [&](auto types) {
        using Problem = Gemm<typename decltype(types)::Computed, typename decltype(types)::InType,
                             typename decltype(types)::OutType>;
        using Factor = typename decltype(types)::FactorType;
        Problem problem{args.transa, args.transb, args.m,   args.n,
                        args.k,      args.lda,    args.ldb, args.ldc};
        problem.arithmetic = arithmetic_of(args.compute, args.a_type, call.context().math_mode);
        if (problem.starts(call, static_cast<const Factor*>(args.alpha),
                           static_cast<const Factor*>(args.beta), c, count)) {
          solve(types, problem);
        }
      });
  if (!is_modelled) {
    call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                unmodelled_types(args.compute, args.a_type, args.b_type, args.c_type));
  }
  return call.status();
}

cublasStatus_t gemm_strided(const char* function, cublasHandle_t handle, const Arguments& args,
                            const void* a, long long a_stride, const void* b, long long b_stride,
                            void* c, long long c_stride, std::int64_t count) {
  Call call(function, handle);
  return with_problem(call, args, c, count, [&](auto types, const auto& problem) {
    using In = typename decltype(types)::InType;
    using Out = typename decltype(types)::OutType;
    run_batch(call, problem, count, strided(static_cast<const In*>(a), a_stride),
              strided(static_cast<const In*>(b), b_stride),
              strided(static_cast<Out*>(c), c_stride));
  });
}

}  // namespace

cublasStatus_t gemm_batched(const char* function, cublasHandle_t handle, const Arguments& args,
                            const void* const* a, const void* const* b, void* const* c,
                            std::int64_t count, bool host_factors) {
  Call call(function, handle);
  if (host_factors && call.ok()) {
    call.use(call.context().stream, CUBLAS_POINTER_MODE_HOST);
  }
  return with_problem(call, args, c, count, [&](auto types, const auto& problem) {
    using In = typename decltype(types)::InType;
    using Out = typename decltype(types)::OutType;
    const bool has_product = problem.has_product();
    const auto a_of = from_array(call, "Aarray", a, count, has_product);
    const auto b_of = from_array(call, "Barray", b, count, has_product);
    const auto c_of = from_array(call, "Carray", c, count, true);
    run_batch(
        call, problem, count, [&](std::int64_t i) { return static_cast<const In*>(a_of(i)); },
        [&](std::int64_t i) { return static_cast<const In*>(b_of(i)); },
        [&](std::int64_t i) { return static_cast<Out*>(c_of(i)); });
  });
}

namespace {

cublasStatus_t gemm_ex(const char* function, cublasHandle_t handle, const Arguments& args,
                       const void* a, const void* b, void* c) {
  Call call(function, handle);
  return with_problem(call, args, c, 1, [&](auto types, const auto& problem) {
    using In = typename decltype(types)::InType;
    using Out = typename decltype(types)::OutType;
    problem.access(call, "", static_cast<const In*>(a), static_cast<const In*>(b),
                   static_cast<Out*>(c));
    if (call.ok()) {
      problem.run(static_cast<const In*>(a), static_cast<const In*>(b), static_cast<Out*>(c));
    }
  });
}

template <class T>
cublasStatus_t gemm(const char* function, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, std::int64_t m, std::int64_t n, std::int64_t k,
                    const T* alpha, const T* A, std::int64_t lda, const T* B, std::int64_t ldb,
                    const T* beta, T* C, std::int64_t ldc) {
  return gemm_ex(function, handle,
                 {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, type_of<T>, type_of<T>,
                  type_of<T>, compute_of<T>},
                 A, B, C);
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t gemmBatched(const char* function, cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, std::int64_t m, std::int64_t n, std::int64_t k,
                           const T* alpha, const T* const* a, std::int64_t lda, const T* const* b,
                           std::int64_t ldb, const T* beta, T* const* c, std::int64_t ldc,
                           std::int64_t count) {
  return gemm_batched(function, handle,
                      {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, type_of<T>, type_of<T>,
                       type_of<T>, compute_of<T>},
                      reinterpret_cast<const void* const*>(a),
                      reinterpret_cast<const void* const*>(b), reinterpret_cast<void* const*>(c),
                      count);
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t gemmStridedBatched(const char* function, cublasHandle_t handle,
                                  cublasOperation_t transa, cublasOperation_t transb,
                                  std::int64_t m, std::int64_t n, std::int64_t k, const T* alpha,
                                  const T* a, std::int64_t lda, long long a_stride, const T* b,
                                  std::int64_t ldb, long long b_stride, const T* beta, T* c,
                                  std::int64_t ldc, long long c_stride, std::int64_t count) {
  return gemm_strided(function, handle,
                      {transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, type_of<T>, type_of<T>,
                       type_of<T>, compute_of<T>},
                      a, a_stride, b, b_stride, c, c_stride, count);
}

// What a program of before CUDA 11 means.
cublasComputeType_t compute_type(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F:
      return CUBLAS_COMPUTE_32F;
    case CUDA_R_64F:
      return CUBLAS_COMPUTE_64F;
    case CUDA_C_32F:
      return CUBLAS_COMPUTE_32F;
    case CUDA_C_64F:
      return CUBLAS_COMPUTE_64F;
    case CUDA_R_16F:
      return CUBLAS_COMPUTE_16F;
    case CUDA_R_32I:
      return CUBLAS_COMPUTE_32I;
    default:
      return static_cast<cublasComputeType_t>(0);  // which is not one
  }
}
cublasComputeType_t compute_type(cublasComputeType_t type) {
  return type;
}

}  // namespace
}  // namespace emulator::cublas

using namespace emulator::cublas;

#define GEMM transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc
#define GEMM_BATCHED \
  transa, transb, m, n, k, alpha, Aarray, lda, Barray, ldb, beta, Carray, ldc, batchCount
#define GEMM_STRIDED                                                                       \
  transa, transb, m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta, C, ldc, strideC, \
      batchCount
DEFINE_CUBLAS_V2_ALL(gemm, EMULATOR_CUBLAS_GEMM, GEMM)
DEFINE_CUBLAS_ONE(Hgemm, gemm, __half, EMULATOR_CUBLAS_GEMM, GEMM)
DEFINE_CUBLAS_ONE(Cgemm3m, gemm, cuComplex, EMULATOR_CUBLAS_GEMM, GEMM)
DEFINE_CUBLAS_ONE(Zgemm3m, gemm, cuDoubleComplex, EMULATOR_CUBLAS_GEMM, GEMM)
DEFINE_CUBLAS_ALL(gemmBatched, EMULATOR_CUBLAS_GEMM_BATCHED, GEMM_BATCHED)
DEFINE_CUBLAS_ONE(HgemmBatched, gemmBatched, __half, EMULATOR_CUBLAS_GEMM_BATCHED, GEMM_BATCHED)
DEFINE_CUBLAS_ONE(Cgemm3mBatched, gemmBatched, cuComplex, EMULATOR_CUBLAS_GEMM_BATCHED,
                  GEMM_BATCHED)
DEFINE_CUBLAS_ALL(gemmStridedBatched, EMULATOR_CUBLAS_GEMM_STRIDED, GEMM_STRIDED)
DEFINE_CUBLAS_ONE(HgemmStridedBatched, gemmStridedBatched, __half, EMULATOR_CUBLAS_GEMM_STRIDED,
                  GEMM_STRIDED)
DEFINE_CUBLAS_ONE(Cgemm3mStridedBatched, gemmStridedBatched, cuComplex,
                  EMULATOR_CUBLAS_GEMM_STRIDED, GEMM_STRIDED)

#define ARGUMENTS                                                             \
  {                                                                           \
    transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, Atype, Btype, Ctype, \
        compute_type(computeType), algo                                       \
  }
#define DEFINE_GEMM_EX(symbol, Int, Compute)                                                     \
  cublasStatus_t symbol EMULATOR_CUBLAS_GEMM_EX(Int, Compute) {                                  \
    return capturable_call([=] { return gemm_ex("cublasGemmEx", handle, ARGUMENTS, A, B, C); }); \
  }
#define DEFINE_GEMM_BATCHED_EX(symbol, Int, Compute)                                        \
  cublasStatus_t symbol EMULATOR_CUBLAS_GEMM_BATCHED_EX(Int, Compute) {                     \
    return capturable_call([=] {                                                            \
      return gemm_batched("cublasGemmBatchedEx", handle, ARGUMENTS, Aarray, Barray, Carray, \
                          batchCount);                                                      \
    });                                                                                     \
  }
#define DEFINE_GEMM_STRIDED_EX(symbol, Int, Compute)                                               \
  cublasStatus_t symbol EMULATOR_CUBLAS_GEMM_STRIDED_EX(Int, Compute) {                            \
    return capturable_call([=] {                                                                   \
      return gemm_strided("cublasGemmStridedBatchedEx", handle, ARGUMENTS, A, strideA, B, strideB, \
                          C, strideC, batchCount);                                                 \
    });                                                                                            \
  }
#define DEFINE_EX(DEFINE, symbol)                   \
  DEFINE(symbol, int, cublasComputeType_t)          \
  DEFINE(symbol##_64, int64_t, cublasComputeType_t) \
  DEFINE(symbol, int, cudaDataType)

DEFINE_EX(DEFINE_GEMM_EX, cublasGemmEx)
DEFINE_EX(DEFINE_GEMM_BATCHED_EX, cublasGemmBatchedEx)
DEFINE_EX(DEFINE_GEMM_STRIDED_EX, cublasGemmStridedBatchedEx)

#define DEFINE_TYPED_GEMM_EX(symbol, text, Factor, Int)                                \
  cublasStatus_t symbol EMULATOR_CUBLAS_TYPED_GEMM_EX(Factor, Int) {                   \
    constexpr auto computeType = CUBLAS_COMPUTE_32F;                                   \
    constexpr auto algo = CUBLAS_GEMM_DEFAULT;                                         \
    return capturable_call([=] { return gemm_ex(text, handle, ARGUMENTS, A, B, C); }); \
  }
DEFINE_TYPED_GEMM_EX(cublasSgemmEx, "cublasSgemmEx", float, int)
DEFINE_TYPED_GEMM_EX(cublasSgemmEx_64, "cublasSgemmEx", float, int64_t)
DEFINE_TYPED_GEMM_EX(cublasCgemmEx, "cublasCgemmEx", cuComplex, int)
DEFINE_TYPED_GEMM_EX(cublasCgemmEx_64, "cublasCgemmEx", cuComplex, int64_t)
DEFINE_TYPED_GEMM_EX(cublasCgemm3mEx, "cublasCgemm3mEx", cuComplex, int)
DEFINE_TYPED_GEMM_EX(cublasCgemm3mEx_64, "cublasCgemm3mEx", cuComplex, int64_t)
