/// \file
/// cuBLAS's products whose results are symmetric or Hermitian.

#include "libraries/cublas/forms.hpp"
#include "libraries/cublas/matrices/openblas_arguments.hpp"
#include "libraries/cublas/products.hpp"

namespace emulator::cublas {
namespace {

// The products whose results are symmetric or Hermitian.
enum class Rank { k, two_k, k_extended };

template <class T, class AlphaFactor, class BetaFactor, class In>
struct RankUpdate {
  Rank rank;
  bool hermitian;
  cublasFillMode_t uplo;
  cublasOperation_t trans;
  std::int64_t n;
  std::int64_t k;
  const AlphaFactor* alpha;
  const In* a;
  std::int64_t lda;
  const In* b;
  std::int64_t ldb;
  const BetaFactor* beta;
  T* c;
  std::int64_t ldc;

  // C = alpha op(A) op(B)^T + beta C, and for two_k also alpha op(B) op(A)^T; for k, B is A. For a
  // Hermitian C, with the conjugate in place of what is only transposed.
  cublasStatus_t run(const char* function, cublasHandle_t handle) const {
    Call call(function, handle);
    const bool transposed = is_transposed(trans);
    call.fill_mode("uplo", uplo);
    call.operation("trans", trans);
    if (is_complex<T> && trans == (hermitian ? CUBLAS_OP_T : CUBLAS_OP_C)) {
      call.refuse(CUBLAS_STATUS_INVALID_VALUE,
                  "trans is " + std::to_string(trans) + ", no cublasOperation_t for this function");
    }
    call.size("n", n);
    call.size("k", k);
    call.leading_dimension("lda", lda, transposed ? k : n);
    if (rank != Rank::k) call.leading_dimension("ldb", ldb, transposed ? k : n);
    call.leading_dimension("ldc", ldc, n);
    if (!call.ok() || n == 0) return call.status();
    if (!call.starts({{"alpha", alpha}, {"beta", beta}, {"C", c}})) return call.status();
    const T product_factor = T(call.factor("alpha", alpha));
    const T old_factor = T(call.factor("beta", beta));

    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    const bool has_product = product_factor != T(0) && k != 0;
    const Triangle<T> result{c, n, upper, Storage::full, ldc, n - 1};
    const auto a_stored = stored(a, transposed, n, k, lda);
    const auto b_stored = stored(b, transposed, n, k, ldb);
    if (has_product) {
      call.reads("A", a_stored);
      if (rank != Rank::k) call.reads("B", b_stored);
    }
    call.writes("C", result, old_factor != T(0));
    if (!call.ok()) return call.status();
    scale_pieces(old_factor, result);
    if (has_product) add(product_factor, a_stored, b_stored);
    for (std::int64_t i = 0; hermitian && i < n; ++i) c[i + i * ldc] = real_part(c[i + i * ldc]);
    return call.status();
  }

 private:
  void add(T factor, const Rectangle<const In>& a_stored,
           const Rectangle<const In>& b_stored) const {
    if constexpr (std::is_same_v<T, In>) {
      add_products(factor, a, lda, b, ldb);
    } else {
      const std::vector<T> a_numbers = numbers_of<T>(a_stored, Inputs::as_they_are);
      const std::vector<T> b_numbers = numbers_of<T>(b_stored, Inputs::as_they_are);
      add_products(factor, a_numbers.data(), a_stored.rows, b_numbers.data(), b_stored.rows);
    }
  }
  void add_products(T factor, const T* left, std::int64_t left_ld, const T* right,
                    std::int64_t right_ld) const {
    add_one(factor, left, left_ld, right, right_ld);
    if (rank == Rank::two_k) {
      add_one(conjugate(factor, hermitian), right, right_ld, left, left_ld);
    }
  }
  void add_one(T factor, const T* left, std::int64_t left_ld, const T* right,
               std::int64_t right_ld) const {
    const bool transposed = is_transposed(trans);
    add_product_to_triangle(uplo == CUBLAS_FILL_MODE_UPPER, n, k, factor,
                            ConstMatrix<T>{left, left_ld, transposed, hermitian && transposed},
                            ConstMatrix<T>{right, right_ld, !transposed, hermitian && !transposed},
                            {c, ldc});
  }
};

template <class T, class Alpha, class Beta, class In>
cublasStatus_t rank_k(const char* function, cublasHandle_t handle, bool hermitian,
                      cublasFillMode_t uplo, cublasOperation_t trans, std::int64_t n,
                      std::int64_t k, const Alpha* alpha, const In* A, std::int64_t lda,
                      const Beta* beta, T* C, std::int64_t ldc) {
  const RankUpdate<T, Alpha, Beta, In> update{Rank::k, hermitian, uplo, trans, n,    k, alpha,
                                              A,       lda,       A,    lda,   beta, C, ldc};
  return update.run(function, handle);
}

template <class T, Rank rank, bool hermitian, class Beta>
cublasStatus_t rank_2k(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                       cublasOperation_t trans, std::int64_t n, std::int64_t k, const T* alpha,
                       const T* A, std::int64_t lda, const T* B, std::int64_t ldb, const Beta* beta,
                       T* C, std::int64_t ldc) {
  const RankUpdate<T, T, Beta, T> update{rank, hermitian, uplo, trans, n,    k, alpha,
                                         A,    lda,       B,    ldb,   beta, C, ldc};
  return update.run(function, handle);
}

template <class T, class... Arguments>
cublasStatus_t syrk(const char* function, cublasHandle_t handle, Arguments... arguments) {
  return rank_k<T, T, T, T>(function, handle, false, arguments...);
}
template <class T, class... Arguments>
cublasStatus_t herk(const char* function, cublasHandle_t handle, Arguments... arguments) {
  return rank_k<T, Real<T>, Real<T>, T>(function, handle, true, arguments...);
}
template <class T>
constexpr auto syr2k = rank_2k<T, Rank::two_k, false, T>;
template <class T>
constexpr auto her2k = rank_2k<T, Rank::two_k, true, Real<T>>;
template <class T>
constexpr auto syrkx = rank_2k<T, Rank::k_extended, false, T>;
template <class T>
constexpr auto herkx = rank_2k<T, Rank::k_extended, true, Real<T>>;

// cublasCsyrkEx() and cublasCherkEx().
template <class Factor>
cublasStatus_t rank_k_ex(const char* function, cublasHandle_t handle, bool hermitian,
                         cublasFillMode_t uplo, cublasOperation_t trans, std::int64_t n,
                         std::int64_t k, const Factor* alpha, const void* A, cudaDataType a_type,
                         std::int64_t lda, const Factor* beta, void* C, cudaDataType c_type,
                         std::int64_t ldc) {
  using T = std::complex<float>;
  const auto with = [&](auto in) {
    using In = decltype(in);
    return rank_k<T, Factor, Factor, In>(function, handle, hermitian, uplo, trans, n, k, alpha,
                                         static_cast<const In*>(A), lda, beta, static_cast<T*>(C),
                                         ldc);
  };
  if (c_type == CUDA_C_32F && a_type == CUDA_C_32F) return with(T{});
  if (c_type == CUDA_C_32F && a_type == CUDA_C_8I) return with(ComplexInt8{});
  Call call(function, handle);
  call.refuse(CUBLAS_STATUS_NOT_SUPPORTED, "A and C of types " + std::to_string(a_type) + " and " +
                                               std::to_string(c_type) + " are not modelled");
  return call.status();
}

}  // namespace
}  // namespace emulator::cublas

#define SYRK uplo, trans, n, k, alpha, A, lda, beta, C, ldc
DEFINE_CUBLAS_V2_ALL(syrk, EMULATOR_CUBLAS_SYRK, SYRK)
DEFINE_CUBLAS_V2_COMPLEX(herk, EMULATOR_CUBLAS_HERK, SYRK)
#define SYR2K uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc
DEFINE_CUBLAS_V2_ALL(syr2k, EMULATOR_CUBLAS_SYR2K, SYR2K)
DEFINE_CUBLAS_V2_COMPLEX(her2k, EMULATOR_CUBLAS_HER2K, SYR2K)
DEFINE_CUBLAS_ALL(syrkx, EMULATOR_CUBLAS_SYRKX, SYR2K)
DEFINE_CUBLAS_COMPLEX(herkx, EMULATOR_CUBLAS_HER2K, SYR2K)

using emulator::cublas::as_number;
#define DEFINE_RANK_EX(symbol, text, hermitian, Factor, Int)                                       \
  cublasStatus_t symbol EMULATOR_CUBLAS_RANK_EX(Factor, Int) {                                     \
    return emulator::cublas::rank_k_ex(text, handle, hermitian, uplo, trans, n, k,                 \
                                       as_number(alpha), A, Atype, lda, as_number(beta), C, Ctype, \
                                       ldc);                                                       \
  }
#define DEFINE_RANK_EX_OF(name, hermitian, Factor)                     \
  DEFINE_RANK_EX(cublas##name, "cublas" #name, hermitian, Factor, int) \
  DEFINE_RANK_EX(cublas##name##_64, "cublas" #name, hermitian, Factor, int64_t)
DEFINE_RANK_EX_OF(CsyrkEx, false, cuComplex)
DEFINE_RANK_EX_OF(Csyrk3mEx, false, cuComplex)
DEFINE_RANK_EX_OF(CherkEx, true, float)
DEFINE_RANK_EX_OF(Cherk3mEx, true, float)
