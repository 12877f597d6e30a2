/// \file
/// cuBLAS's functions on matrices: the checks that its manual promises, then the work.

#include <algorithm>

#include "libraries/cublas/batches.hpp"
#include "libraries/cublas/forms.hpp"
#include "libraries/cublas/openblas.hpp"
#include "libraries/cublas/products.hpp"

namespace emulator::blas {
namespace {

using namespace emulator::detail;

// OpenBLAS's words for cuBLAS's.
CBLAS_SIDE side_of(cublasSideMode_t side) {
  return side == CUBLAS_SIDE_LEFT ? CblasLeft : CblasRight;
}
CBLAS_UPLO triangle_of(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_UPPER ? CblasUpper : CblasLower;
}
CBLAS_TRANSPOSE transposition_of(cublasOperation_t operation) {
  if (is_conjugated(operation)) return CblasConjTrans;
  return is_transposed(operation) ? CblasTrans : CblasNoTrans;
}
CBLAS_DIAG diagonal_of(cublasDiagType_t diag) {
  return diag == CUBLAS_DIAG_UNIT ? CblasUnit : CblasNonUnit;
}

// Sizes for functions that are OpenBLAS's as a whole, which has ints for them.
class Ints {
 public:
  explicit Ints(Call& call) : call_(call) {}

  int size(std::int64_t value) {
    if (value > largest_block) {
      call_.refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                   "sizes above " + std::to_string(largest_block) + " are not modelled here");
    }
    return static_cast<int>(value);
  }
  // Of a single column the distance to the next does not matter.
  int leading_dimension(std::int64_t value, std::int64_t rows, std::int64_t columns) {
    return size(columns == 1 ? rows : value);
  }

 private:
  Call& call_;
};

// op(A), which has so many rows and columns, as it is stored.
template <class T>
Rectangle<const T> stored(const T* data, bool transposed, std::int64_t rows, std::int64_t columns,
                          std::int64_t leading_dimension) {
  if (transposed) std::swap(rows, columns);
  return {data, rows, columns, leading_dimension};
}

template <class T>
cublasStatus_t geam(const char* function, cublasHandle_t handle, cublasOperation_t transa,
                    cublasOperation_t transb, std::int64_t m, std::int64_t n, const T* alpha,
                    const T* A, std::int64_t lda, const T* beta, const T* B, std::int64_t ldb, T* C,
                    std::int64_t ldc) {
  Call call(function, handle);
  call.operation("transa", transa);
  call.operation("transb", transb);
  call.size("m", m);
  call.size("n", n);
  call.leading_dimension("lda", lda, is_transposed(transa) ? n : m);
  call.leading_dimension("ldb", ldb, is_transposed(transb) ? n : m);
  call.leading_dimension("ldc", ldc, m);
  if (!call.goes_on() || m == 0 || n == 0) return call.status();
  call.not_null({{"alpha", alpha}, {"beta", beta}, {"C", C}});
  const auto in_place = [&](const T* operand, cublasOperation_t operation, std::int64_t ld) {
    return operand != C || (operation == CUBLAS_OP_N && ld == ldc);
  };
  if (!in_place(A, transa, lda) || !in_place(B, transb, ldb)) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE,
                "C may be A or B only with CUBLAS_OP_N and one leading dimension");
  }
  if (!call.starts({})) return call.status();
  const T a_factor = call.factor("alpha", alpha);
  const T b_factor = call.factor("beta", beta);

  const bool a_transposed = is_transposed(transa);
  const bool b_transposed = is_transposed(transb);
  if (a_factor != T(0)) call.reads("A", stored(A, a_transposed, m, n, lda));
  if (b_factor != T(0)) call.reads("B", stored(B, b_transposed, m, n, ldb));
  call.writes("C", Rectangle<T>{C, m, n, ldc});
  if (!call.goes_on()) return call.status();
  weighted_sum(m, n, a_factor, ConstMatrix<T>{A, lda, a_transposed, is_conjugated(transa)},
               b_factor, ConstMatrix<T>{B, ldb, b_transposed, is_conjugated(transb)}, {C, ldc});
  return call.status();
}

template <class T>
cublasStatus_t dgmm(const char* function, cublasHandle_t handle, cublasSideMode_t mode,
                    std::int64_t m, std::int64_t n, const T* A, std::int64_t lda, const T* x,
                    std::int64_t incx, T* C, std::int64_t ldc) {
  Call call(function, handle);
  call.side("mode", mode);
  call.size("m", m);
  call.size("n", n);
  call.leading_dimension("lda", lda, m);
  call.leading_dimension("ldc", ldc, m);
  if (!call.goes_on() || m == 0 || n == 0 || !call.starts({})) return call.status();

  const bool by_rows = mode == CUBLAS_SIDE_LEFT;
  const Rectangle<const T> from{A, m, n, lda};
  const Line<const T> diagonal{x, by_rows ? m : n, incx};
  const Rectangle<T> to{C, m, n, ldc};
  call.reads("A", from);
  call.reads("x", diagonal);
  call.writes("C", to);
  if (!call.goes_on()) return call.status();
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) {
      to.column(j)[i] = from.column(j)[i] * diagonal[by_rows ? i : j];
    }
  }
  return call.status();
}

// C = alpha A B + beta C or alpha B A + beta C for a symmetric or Hermitian A.
template <class T, bool hermitian = false>
cublasStatus_t symmetric_product(const char* function, cublasHandle_t handle, cublasSideMode_t side,
                                 cublasFillMode_t uplo, std::int64_t m, std::int64_t n,
                                 const T* alpha, const T* A, std::int64_t lda, const T* B,
                                 std::int64_t ldb, const T* beta, T* C, std::int64_t ldc) {
  Call call(function, handle);
  const std::int64_t order = side == CUBLAS_SIDE_LEFT ? m : n;
  call.side("side", side);
  call.fill_mode("uplo", uplo);
  call.size("m", m);
  call.size("n", n);
  call.leading_dimension("lda", lda, order);
  call.leading_dimension("ldb", ldb, m);
  call.leading_dimension("ldc", ldc, m);
  if (!call.goes_on() || m == 0 || n == 0) return call.status();
  Ints ints(call);
  const int rows = ints.size(m);
  const int columns = ints.size(n);
  const int a_distance = ints.leading_dimension(lda, order, order);
  const int b_distance = ints.leading_dimension(ldb, m, n);
  const int c_distance = ints.leading_dimension(ldc, m, n);
  if (!call.starts({{"alpha", alpha}, {"beta", beta}, {"C", C}})) return call.status();
  const T product_factor = call.factor("alpha", alpha);
  const T old_factor = call.factor("beta", beta);

  const Rectangle<T> result{C, m, n, ldc};
  if (product_factor != T(0)) {
    call.reads("A", Triangle<const T>{A, order, uplo == CUBLAS_FILL_MODE_UPPER, Storage::full, lda,
                                      order - 1});
    call.reads("B", Rectangle<const T>{B, m, n, ldb});
  }
  call.writes("C", result, old_factor != T(0));
  if (!call.goes_on()) return call.status();
  scale_pieces(old_factor, result);
  if (product_factor == T(0)) return call.status();
  const auto multiply = [&](auto work) {
    work(CblasColMajor, side_of(side), triangle_of(uplo), rows, columns, as_factor(product_factor),
         A, a_distance, B, b_distance, as_factor(T(1)), C, c_distance);
  };
  if constexpr (hermitian) {
    multiply(of_type<T>(0, 0, cblas_chemm, cblas_zhemm));
  } else {
    multiply(of_type<T>(cblas_ssymm, cblas_dsymm, cblas_csymm, cblas_zsymm));
  }
  return call.status();
}

template <class T>
constexpr auto symm = symmetric_product<T>;
template <class T>
constexpr auto hemm = symmetric_product<T, true>;

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
    if (!call.goes_on() || n == 0) return call.status();
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
    if (!call.goes_on()) return call.status();
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

// B = alpha op(A) B or alpha B op(A), or the solution X of op(A) X = alpha B or X op(A) = alpha B,
// for a triangular A.
template <class T>
class Triangular {
 public:
  Triangular(Call& call, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
             cublasDiagType_t diag, std::int64_t m, std::int64_t n, std::int64_t lda)
      : call_(call),
        side_(side),
        uplo_(uplo),
        trans_(trans),
        diag_(diag),
        m_(m),
        n_(n),
        order_(side == CUBLAS_SIDE_LEFT ? m : n),
        lda_(lda) {
    call.side("side", side);
    call.fill_mode("uplo", uplo);
    call.operation("trans", trans);
    call.diagonal("diag", diag);
    call.size("m", m);
    call.size("n", n);
    call.leading_dimension("lda", lda, order_);
  }

  void reads(const T* a, const std::string& suffix = "") const {
    call_.reads("A" + suffix,
                Triangle<const T>{a, order_, uplo_ == CUBLAS_FILL_MODE_UPPER, Storage::full, lda_,
                                  order_ - 1, diag_ == CUBLAS_DIAG_UNIT});
  }
  // Whether OpenBLAS takes these sizes, B's leading dimension among them.
  bool fits(std::int64_t ldb) {
    Ints ints(call_);
    rows_ = ints.size(m_);
    columns_ = ints.size(n_);
    a_distance_ = ints.leading_dimension(lda_, order_, order_);
    b_distance_ = ints.leading_dimension(ldb, m_, n_);
    return call_.goes_on();
  }
  // `work` is OpenBLAS's function.
  template <class Work>
  void run(Work work, T alpha, const T* a, T* b) const {
    work(CblasColMajor, side_of(side_), triangle_of(uplo_), transposition_of(trans_),
         diagonal_of(diag_), rows_, columns_, as_factor(alpha), a, a_distance_, b, b_distance_);
  }

 private:
  Call& call_;
  cublasSideMode_t side_;
  cublasFillMode_t uplo_;
  cublasOperation_t trans_;
  cublasDiagType_t diag_;
  std::int64_t m_;
  std::int64_t n_;
  std::int64_t order_;
  std::int64_t lda_;
  int rows_ = 0;
  int columns_ = 0;
  int a_distance_ = 0;
  int b_distance_ = 0;
};

template <class T>
cublasStatus_t trmm(const char* function, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    std::int64_t m, std::int64_t n, const T* alpha, const T* A, std::int64_t lda,
                    const T* B, std::int64_t ldb, T* C, std::int64_t ldc) {
  Call call(function, handle);
  Triangular<T> triangular(call, side, uplo, trans, diag, m, n, lda);
  call.leading_dimension("ldb", ldb, m);
  call.leading_dimension("ldc", ldc, m);
  if (!call.goes_on() || m == 0 || n == 0) return call.status();
  call.not_null({{"alpha", alpha}, {"C", C}});
  if (B == C && ldb != ldc) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE, "C may be B only with one leading dimension");
  }
  if (!triangular.fits(ldc) || !call.starts({})) return call.status();
  const T factor = call.factor("alpha", alpha);
  const Rectangle<const T> from{B, m, n, ldb};
  const Rectangle<T> to{C, m, n, ldc};
  if (factor != T(0)) {
    triangular.reads(A);
    call.reads("B", from);
  }
  call.writes("C", to);
  if (!call.goes_on()) return call.status();
  if (factor == T(0)) {
    scale_pieces(factor, to);
    return call.status();
  }
  for (std::int64_t j = 0; B != C && j < n; ++j) {
    std::copy(from.column(j), from.column(j) + m, to.column(j));
  }
  triangular.run(of_type<T>(cblas_strmm, cblas_dtrmm, cblas_ctrmm, cblas_ztrmm), factor, A, C);
  return call.status();
}

// Solutions, one or many.
template <class T>
struct Trsm {
  const Triangular<T>& triangular;
  std::int64_t m;
  std::int64_t n;
  std::int64_t ldb;
  T alpha;

  void access(Call& call, const std::string& suffix, const T* a, T* b) const {
    if (alpha != T(0)) triangular.reads(a, suffix);
    call.writes("B" + suffix, Rectangle<T>{b, m, n, ldb}, alpha != T(0));
  }
  void run(const T* a, T* b) const {
    if (alpha == T(0)) return scale_pieces(alpha, Rectangle<T>{b, m, n, ldb});
    triangular.run(of_type<T>(cblas_strsm, cblas_dtrsm, cblas_ctrsm, cblas_ztrsm), alpha, a, b);
  }
};

template <class T>
cublasStatus_t trsm(const char* function, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    std::int64_t m, std::int64_t n, const T* alpha, const T* A, std::int64_t lda,
                    T* B, std::int64_t ldb) {
  Call call(function, handle);
  Triangular<T> triangular(call, side, uplo, trans, diag, m, n, lda);
  call.leading_dimension("ldb", ldb, m);
  if (!call.goes_on() || m == 0 || n == 0) return call.status();
  if (!triangular.fits(ldb) || !call.starts({{"alpha", alpha}})) return call.status();
  const Trsm<T> problem{triangular, m, n, ldb, call.factor("alpha", alpha)};
  problem.access(call, "", A, B);
  if (call.goes_on()) problem.run(A, B);
  return call.status();
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t trsmBatched(const char* function, cublasHandle_t handle, cublasSideMode_t side,
                           cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                           std::int64_t m, std::int64_t n, const T* alpha, const T* const* A,
                           std::int64_t lda, T* const* B, std::int64_t ldb, std::int64_t count) {
  Call call(function, handle);
  Triangular<T> triangular(call, side, uplo, trans, diag, m, n, lda);
  call.leading_dimension("ldb", ldb, m);
  call.size("batchCount", count);
  if (!call.goes_on() || m == 0 || n == 0 || count == 0) return call.status();
  if (!triangular.fits(ldb) || !call.starts({{"alpha", alpha}})) return call.status();
  const Trsm<T> problem{triangular, m, n, ldb, call.factor("alpha", alpha)};
  const auto a_of = from_array(call, "A", A, count, problem.alpha != T(0));
  const auto b_of = from_array(call, "B", B, count, true);
  for (std::int64_t i = 0; i < count && call.goes_on(); ++i) {
    problem.access(call, "[" + std::to_string(i) + "]", a_of(i), b_of(i));
  }
  for (std::int64_t i = 0; i < count && call.goes_on(); ++i) problem.run(a_of(i), b_of(i));
  return call.status();
}

}  // namespace
}  // namespace emulator::blas

DEFINE_CUBLAS_ALL(geam, EMULATOR_CUBLAS_GEAM, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C,
                  ldc)
DEFINE_CUBLAS_ALL(dgmm, EMULATOR_CUBLAS_DGMM, mode, m, n, A, lda, x, incx, C, ldc)
#define SYMM side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc
DEFINE_CUBLAS_V2_ALL(symm, EMULATOR_CUBLAS_SYMM, SYMM)
DEFINE_CUBLAS_V2_COMPLEX(hemm, EMULATOR_CUBLAS_SYMM, SYMM)
#define SYRK uplo, trans, n, k, alpha, A, lda, beta, C, ldc
DEFINE_CUBLAS_V2_ALL(syrk, EMULATOR_CUBLAS_SYRK, SYRK)
DEFINE_CUBLAS_V2_COMPLEX(herk, EMULATOR_CUBLAS_HERK, SYRK)
#define SYR2K uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc
DEFINE_CUBLAS_V2_ALL(syr2k, EMULATOR_CUBLAS_SYR2K, SYR2K)
DEFINE_CUBLAS_V2_COMPLEX(her2k, EMULATOR_CUBLAS_HER2K, SYR2K)
DEFINE_CUBLAS_ALL(syrkx, EMULATOR_CUBLAS_SYRKX, SYR2K)
DEFINE_CUBLAS_COMPLEX(herkx, EMULATOR_CUBLAS_HER2K, SYR2K)
DEFINE_CUBLAS_V2_ALL(trmm, EMULATOR_CUBLAS_TRMM, side, uplo, trans, diag, m, n, alpha, A, lda, B,
                     ldb, C, ldc)
DEFINE_CUBLAS_V2_ALL(trsm, EMULATOR_CUBLAS_TRSM, side, uplo, trans, diag, m, n, alpha, A, lda, B,
                     ldb)
DEFINE_CUBLAS_ALL(trsmBatched, EMULATOR_CUBLAS_TRSM_BATCHED, side, uplo, trans, diag, m, n, alpha,
                  A, lda, B, ldb, batchCount)

using emulator::detail::as_number;
#define DEFINE_RANK_EX(symbol, text, hermitian, Factor, Int)                                       \
  cublasStatus_t symbol EMULATOR_CUBLAS_RANK_EX(Factor, Int) {                                     \
    return emulator::blas::rank_k_ex(text, handle, hermitian, uplo, trans, n, k, as_number(alpha), \
                                     A, Atype, lda, as_number(beta), C, Ctype, ldc);               \
  }
#define DEFINE_RANK_EX_OF(name, hermitian, Factor)                     \
  DEFINE_RANK_EX(cublas##name, "cublas" #name, hermitian, Factor, int) \
  DEFINE_RANK_EX(cublas##name##_64, "cublas" #name, hermitian, Factor, int64_t)
DEFINE_RANK_EX_OF(CsyrkEx, false, cuComplex)
DEFINE_RANK_EX_OF(Csyrk3mEx, false, cuComplex)
DEFINE_RANK_EX_OF(CherkEx, true, float)
DEFINE_RANK_EX_OF(Cherk3mEx, true, float)
