/// \file
/// cuBLAS's products of matrices in groups: each is a batch of one shape.

#include <cstddef>

#include "libraries/cublas/call.hpp"
#include "libraries/cublas/forms.hpp"
#include "libraries/cublas/matrices/gemm.hpp"

namespace emulator::cublas {
namespace {

// The shape and the factors of a group.
template <class Int>
struct Group {
  const Int* m;
  const Int* n;
  const Int* k;
  const Int* lda;
  const Int* ldb;
  const Int* ldc;
  const Int* size;
};

// Group by group, as batches. `factor_bytes` is the distance of two groups' factors.
template <class Int>
cublasStatus_t gemm_grouped(const char* function, cublasHandle_t handle, Arguments args,
                            const cublasOperation_t* transa, const cublasOperation_t* transb,
                            const Group<Int>& of, std::size_t factor_bytes, const void* const* a,
                            const void* const* b, void* const* c, Int groups) {
  {
    Call call(function, handle);
    call.size("group_count", groups);
    if (!call.ok() || groups == 0) return call.status();
    call.not_null({{"transa_array", transa},
                   {"transb_array", transb},
                   {"m_array", of.m},
                   {"n_array", of.n},
                   {"k_array", of.k},
                   {"lda_array", of.lda},
                   {"ldb_array", of.ldb},
                   {"ldc_array", of.ldc},
                   {"group_size", of.size},
                   {"alpha_array", args.alpha},
                   {"beta_array", args.beta}});
    for (Int g = 0; call.ok() && g < groups; ++g) call.size("group_size", of.size[g]);
    if (!call.ok()) return call.status();
  }
  for (Int g = 0; g < groups; ++g) {
    args.transa = transa[g];
    args.transb = transb[g];
    args.m = of.m[g];
    args.n = of.n[g];
    args.k = of.k[g];
    args.lda = of.lda[g];
    args.ldb = of.ldb[g];
    args.ldc = of.ldc[g];
    const cublasStatus_t status = gemm_batched(function, handle, args, a, b, c, of.size[g], true);
    if (status != CUBLAS_STATUS_SUCCESS) return status;
    args.alpha = static_cast<const std::byte*>(args.alpha) + factor_bytes;
    args.beta = static_cast<const std::byte*>(args.beta) + factor_bytes;
    a += of.size[g];
    b += of.size[g];
    c += of.size[g];
  }
  return CUBLAS_STATUS_SUCCESS;
}

template <class T, class Int>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t gemmGroupedBatched(const char* function, cublasHandle_t handle,
                                  const cublasOperation_t* transa, const cublasOperation_t* transb,
                                  const Int* m, const Int* n, const Int* k, const T* alpha,
                                  const T* const* a, const Int* lda, const T* const* b,
                                  const Int* ldb, const T* beta, T* const* c, const Int* ldc,
                                  Int groups, const Int* group_size) {
  const Arguments args{
      CUBLAS_OP_N, CUBLAS_OP_N, 0, 0,          0,          alpha,      beta,
      0,           0,           0, type_of<T>, type_of<T>, type_of<T>, compute_of<T>};
  return gemm_grouped<Int>(
      function, handle, args, transa, transb, {m, n, k, lda, ldb, ldc, group_size}, sizeof(T),
      reinterpret_cast<const void* const*>(a), reinterpret_cast<const void* const*>(b),
      reinterpret_cast<void* const*>(c), groups);
}

// Factors are of the type that is computed with.
std::size_t factor_bytes(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return 2;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return 8;
    default:
      return 4;
  }
}

}  // namespace
}  // namespace emulator::cublas

using namespace emulator::cublas;

#define GEMM_GROUPED                                                                             \
  transa_array, transb_array, m_array, n_array, k_array, alpha_array, Aarray, lda_array, Barray, \
      ldb_array, beta_array, Carray, ldc_array, group_count, group_size
DEFINE_CUBLAS_ONE(SgemmGroupedBatched, gemmGroupedBatched, float, EMULATOR_CUBLAS_GEMM_GROUPED,
                  GEMM_GROUPED)
DEFINE_CUBLAS_ONE(DgemmGroupedBatched, gemmGroupedBatched, double, EMULATOR_CUBLAS_GEMM_GROUPED,
                  GEMM_GROUPED)
#define DEFINE_GEMM_GROUPED_EX(symbol, Int)                                                      \
  cublasStatus_t symbol EMULATOR_CUBLAS_GEMM_GROUPED_EX(Int) {                                   \
    return capturable_call([=] {                                                                 \
      const Arguments args{CUBLAS_OP_N, CUBLAS_OP_N, 0, 0,     0,     alpha_array, beta_array,   \
                           0,           0,           0, Atype, Btype, Ctype,       computeType}; \
      return gemm_grouped<Int>(                                                                  \
          "cublasGemmGroupedBatchedEx", handle, args, transa_array, transb_array,                \
          {m_array, n_array, k_array, lda_array, ldb_array, ldc_array, group_size},              \
          factor_bytes(computeType), Aarray, Barray, Carray, group_count);                       \
    });                                                                                          \
  }
DEFINE_GEMM_GROUPED_EX(cublasGemmGroupedBatchedEx, int)
DEFINE_GEMM_GROUPED_EX(cublasGemmGroupedBatchedEx_64, int64_t)
