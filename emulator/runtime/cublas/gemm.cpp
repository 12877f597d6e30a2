/// \file
/// cuBLAS's products of matrices, one or many, of elements of whatever type.

#include <type_traits>
#include <vector>

#include "cublas/batches.hpp"
#include "cublas/compute.hpp"
#include "cublas/forms.hpp"
#include "libraries/elements.hpp"

namespace emulator::blas {
namespace {

using namespace emulator::detail;

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
  bool has_product() const { return alpha != 0 && k != 0; }

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
    if (!call.goes_on() || m == 0 || n == 0 || count == 0) return false;
    if (!call.starts({{"alpha", alpha_pointer}, {"beta", beta_pointer}, {"C", result}})) {
      return false;
    }
    alpha = to_number(call.factor("alpha", alpha_pointer));
    beta = to_number(call.factor("beta", beta_pointer));
    return call.goes_on();
  }

  void access(Call& call, const std::string& suffix, const In* a, const In* b, Out* c) const {
    if (has_product()) {
      call.reads("A" + suffix, a_as_stored(a));
      call.reads("B" + suffix, b_as_stored(b));
    }
    call.writes("C" + suffix, Rectangle<Out>{c, m, n, ldc}, beta != 0);
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
          round_to(element, beta == 0 ? *sum : *sum + beta * to_number(element));
        }
      }
    }
  }

 private:
  void add(const In* a, const In* b, Matrix<T> c) const {
    if constexpr (std::is_same_v<T, In>) {
      add_product(m, n, k, alpha, ConstMatrix<T>{a, lda, is_transposed(transa)},
                  ConstMatrix<T>{b, ldb, is_transposed(transb)}, c);
    } else {
      const std::vector<T> a_numbers = numbers_of(a_as_stored(a));
      const std::vector<T> b_numbers = numbers_of(b_as_stored(b));
      add_product(m, n, k, alpha,
                  ConstMatrix<T>{a_numbers.data(), a_as_stored(a).rows, is_transposed(transa)},
                  ConstMatrix<T>{b_numbers.data(), b_as_stored(b).rows, is_transposed(transb)}, c);
    }
  }

  // Without gaps.
  static std::vector<T> numbers_of(const Rectangle<const In>& matrix) {
    std::vector<T> numbers;
    numbers.reserve(static_cast<std::size_t>(matrix.rows * matrix.columns));
    matrix.for_pieces([&](const In* first, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) numbers.push_back(to_number(first[i]));
    });
    return numbers;
  }
};

template <class T>
cublasStatus_t gemm(const char* function, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, std::int64_t m, std::int64_t n, std::int64_t k,
                    const T* alpha, const T* A, std::int64_t lda, const T* B, std::int64_t ldb,
                    const T* beta, T* C, std::int64_t ldc) {
  Call call(function, handle);
  Gemm<T> problem{transa, transb, m, n, k, lda, ldb, ldc};
  if (!problem.starts(call, alpha, beta, C)) return call.status();
  problem.access(call, "", A, B, C);
  if (call.goes_on()) problem.run(A, B, C);
  return call.status();
}

// Types of elements as arguments -----------------------------------------------------------------

template <class T, class In, class Out, class Factor>
struct Types {
  using Problem = Gemm<T, In, Out>;
  using InType = In;
  using OutType = Out;
  using FactorType = Factor;
};

bool is_algorithm(cublasGemmAlgo_t algo) {
  return (algo >= CUBLAS_GEMM_DEFAULT && algo <= CUBLAS_GEMM_ALGO23) ||
         (algo >= CUBLAS_GEMM_DEFAULT_TENSOR_OP && algo <= CUBLAS_GEMM_ALGO15_TENSOR_OP) ||
         algo == CUBLAS_GEMM_AUTOTUNE;
}

// CUBLAS_COMPUTE_16F, 32F or 64F for their variants, and itself for other types.
cublasComputeType_t without_variant(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      return CUBLAS_COMPUTE_32F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      return CUBLAS_COMPUTE_64F;
    default:
      return compute;
  }
}

// Calls `use` with the Types that the arguments stand for, if they are modelled.
template <class Use>
void with_types(Call& call, cublasComputeType_t compute, cudaDataType a_type, cudaDataType b_type,
                cudaDataType c_type, Use use) {
  const auto base = without_variant(compute);
  const auto are = [&](cudaDataType in, cudaDataType out) {
    return a_type == in && b_type == in && c_type == out;
  };
  if (base == CUBLAS_COMPUTE_64F && are(CUDA_R_64F, CUDA_R_64F)) {
    return use(Types<double, double, double, double>{});
  }
  if (base == CUBLAS_COMPUTE_16F && are(CUDA_R_16F, CUDA_R_16F)) {
    return use(Types<float, Half, Half, Half>{});
  }
  if (base == CUBLAS_COMPUTE_32F) {
    if (are(CUDA_R_32F, CUDA_R_32F)) return use(Types<float, float, float, float>{});
    if (are(CUDA_R_16F, CUDA_R_16F)) return use(Types<float, Half, Half, float>{});
    if (are(CUDA_R_16F, CUDA_R_32F)) return use(Types<float, Half, float, float>{});
    if (are(CUDA_R_16BF, CUDA_R_16BF)) return use(Types<float, Bfloat16, Bfloat16, float>{});
    if (are(CUDA_R_16BF, CUDA_R_32F)) return use(Types<float, Bfloat16, float, float>{});
  }
  call.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
              "computeType " + std::to_string(compute) + " for A, B and C of types " +
                  std::to_string(a_type) + ", " + std::to_string(b_type) + " and " +
                  std::to_string(c_type) + " is not modelled");
}

// The arguments that all functions for such products have.
struct Arguments {
  cublasOperation_t transa;
  cublasOperation_t transb;
  std::int64_t m;
  std::int64_t n;
  std::int64_t k;
  const void* alpha;
  const void* beta;
  std::int64_t lda;
  std::int64_t ldb;
  std::int64_t ldc;
  cudaDataType a_type;
  cudaDataType b_type;
  cudaDataType c_type;
  cublasComputeType_t compute;
  cublasGemmAlgo_t algo = CUBLAS_GEMM_DEFAULT;
};

// `solve(types, problem)` once the problem has started.
template <class Solve>
cublasStatus_t with_problem(Call& call, const Arguments& args, const void* c, std::int64_t count,
                            Solve solve) {
  if (call.goes_on() && !is_algorithm(args.algo)) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE,
                "algo is " + std::to_string(args.algo) + ", no cublasGemmAlgo_t");
  }
  if (!call.goes_on()) return call.status();
  with_types(call, args.compute, args.a_type, args.b_type, args.c_type, [&](auto types) {
    using Factor = typename decltype(types)::FactorType;
    typename decltype(types)::Problem problem{args.transa, args.transb, args.m,   args.n,
                                              args.k,      args.lda,    args.ldb, args.ldc};
    if (problem.starts(call, static_cast<const Factor*>(args.alpha),
                       static_cast<const Factor*>(args.beta), c, count)) {
      solve(types, problem);
    }
  });
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

cublasStatus_t gemm_batched(const char* function, cublasHandle_t handle, const Arguments& args,
                            const void* const* a, const void* const* b, void* const* c,
                            std::int64_t count) {
  Call call(function, handle);
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

cublasStatus_t gemm_ex(const char* function, cublasHandle_t handle, const Arguments& args,
                       const void* a, const void* b, void* c) {
  Call call(function, handle);
  return with_problem(call, args, c, 1, [&](auto types, const auto& problem) {
    using In = typename decltype(types)::InType;
    using Out = typename decltype(types)::OutType;
    problem.access(call, "", static_cast<const In*>(a), static_cast<const In*>(b),
                   static_cast<Out*>(c));
    if (call.goes_on()) {
      problem.run(static_cast<const In*>(a), static_cast<const In*>(b), static_cast<Out*>(c));
    }
  });
}

// The types of cublasSgemmBatched() and the like.
template <class T>
constexpr cudaDataType type_of = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
template <class T>
constexpr cublasComputeType_t compute_of =
    std::is_same_v<T, float> ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F;

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
    case CUDA_R_16F:
      return CUBLAS_COMPUTE_16F;
    default:
      return CUBLAS_COMPUTE_32I;  // which is not modelled, as all others are not
  }
}
cublasComputeType_t compute_type(cublasComputeType_t type) {
  return type;
}

}  // namespace
}  // namespace emulator::blas

using namespace emulator::blas;

DEFINE_CUBLAS_V2(gemm, EMULATOR_CUBLAS_GEMM, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta,
                 C, ldc)
DEFINE_CUBLAS(gemmBatched, EMULATOR_CUBLAS_GEMM_BATCHED, transa, transb, m, n, k, alpha, Aarray,
              lda, Barray, ldb, beta, Carray, ldc, batchCount)
DEFINE_CUBLAS(gemmStridedBatched, EMULATOR_CUBLAS_GEMM_STRIDED, transa, transb, m, n, k, alpha, A,
              lda, strideA, B, ldb, strideB, beta, C, ldc, strideC, batchCount)

#define ARGUMENTS                                                             \
  {                                                                           \
    transa, transb, m, n, k, alpha, beta, lda, ldb, ldc, Atype, Btype, Ctype, \
        compute_type(computeType), algo                                       \
  }
#define DEFINE_GEMM_EX(symbol, Int, Compute)                    \
  cublasStatus_t symbol EMULATOR_CUBLAS_GEMM_EX(Int, Compute) { \
    return gemm_ex("cublasGemmEx", handle, ARGUMENTS, A, B, C); \
  }
#define DEFINE_GEMM_BATCHED_EX(symbol, Int, Compute)                                      \
  cublasStatus_t symbol EMULATOR_CUBLAS_GEMM_BATCHED_EX(Int, Compute) {                   \
    return gemm_batched("cublasGemmBatchedEx", handle, ARGUMENTS, Aarray, Barray, Carray, \
                        batchCount);                                                      \
  }
#define DEFINE_GEMM_STRIDED_EX(symbol, Int, Compute)                                             \
  cublasStatus_t symbol EMULATOR_CUBLAS_GEMM_STRIDED_EX(Int, Compute) {                          \
    return gemm_strided("cublasGemmStridedBatchedEx", handle, ARGUMENTS, A, strideA, B, strideB, \
                        C, strideC, batchCount);                                                 \
  }
#define DEFINE_EX(DEFINE, symbol)                   \
  DEFINE(symbol, int, cublasComputeType_t)          \
  DEFINE(symbol##_64, int64_t, cublasComputeType_t) \
  DEFINE(symbol, int, cudaDataType)

DEFINE_EX(DEFINE_GEMM_EX, cublasGemmEx)
DEFINE_EX(DEFINE_GEMM_BATCHED_EX, cublasGemmBatchedEx)
DEFINE_EX(DEFINE_GEMM_STRIDED_EX, cublasGemmStridedBatchedEx)

#define DEFINE_SGEMM_EX(symbol, Int)                             \
  cublasStatus_t symbol EMULATOR_CUBLAS_SGEMM_EX(Int) {          \
    constexpr auto computeType = CUBLAS_COMPUTE_32F;             \
    constexpr auto algo = CUBLAS_GEMM_DEFAULT;                   \
    return gemm_ex("cublasSgemmEx", handle, ARGUMENTS, A, B, C); \
  }
DEFINE_SGEMM_EX(cublasSgemmEx, int)
DEFINE_SGEMM_EX(cublasSgemmEx_64, int64_t)
