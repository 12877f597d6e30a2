/// \file
/// cuBLAS's products with a triangular matrix, and solutions by one.

#include <algorithm>

#include "libraries/cublas/batches.hpp"
#include "libraries/cublas/forms.hpp"
#include "libraries/cublas/matrices/openblas_arguments.hpp"

namespace emulator::cublas {
namespace {

// B = alpha op(A) B or alpha B op(A), or the solution X of op(A) X = alpha B or X op(A) = alpha B,
// for a triangular A.
template <class T>
class TriangularMatrix {
 public:
  TriangularMatrix(Call& call, cublasSideMode_t side, cublasFillMode_t uplo,
                   cublasOperation_t trans, cublasDiagType_t diag, std::int64_t m, std::int64_t n,
                   std::int64_t lda)
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
    OpenblasSizes ints(call_);
    rows_ = ints.size(m_);
    columns_ = ints.size(n_);
    a_distance_ = ints.leading_dimension(lda_, order_, order_);
    b_distance_ = ints.leading_dimension(ldb, m_, n_);
    return call_.ok();
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
  TriangularMatrix<T> triangular(call, side, uplo, trans, diag, m, n, lda);
  call.leading_dimension("ldb", ldb, m);
  call.leading_dimension("ldc", ldc, m);
  if (!call.ok() || m == 0 || n == 0) return call.status();
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
  if (!call.ok()) return call.status();
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
  const TriangularMatrix<T>& triangular;
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
  TriangularMatrix<T> triangular(call, side, uplo, trans, diag, m, n, lda);
  call.leading_dimension("ldb", ldb, m);
  if (!call.ok() || m == 0 || n == 0) return call.status();
  if (!triangular.fits(ldb) || !call.starts({{"alpha", alpha}})) return call.status();
  const Trsm<T> problem{triangular, m, n, ldb, call.factor("alpha", alpha)};
  problem.access(call, "", A, B);
  if (call.ok()) problem.run(A, B);
  return call.status();
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t trsmBatched(const char* function, cublasHandle_t handle, cublasSideMode_t side,
                           cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                           std::int64_t m, std::int64_t n, const T* alpha, const T* const* A,
                           std::int64_t lda, T* const* B, std::int64_t ldb, std::int64_t count) {
  Call call(function, handle);
  TriangularMatrix<T> triangular(call, side, uplo, trans, diag, m, n, lda);
  call.leading_dimension("ldb", ldb, m);
  call.size("batchCount", count);
  if (!call.ok() || m == 0 || n == 0 || count == 0) return call.status();
  if (!triangular.fits(ldb) || !call.starts({{"alpha", alpha}})) return call.status();
  const Trsm<T> problem{triangular, m, n, ldb, call.factor("alpha", alpha)};
  const auto a_of = from_array(call, "A", A, count, problem.alpha != T(0));
  const auto b_of = from_array(call, "B", B, count, true);
  for (std::int64_t i = 0; i < count && call.ok(); ++i) {
    problem.access(call, "[" + std::to_string(i) + "]", a_of(i), b_of(i));
  }
  for (std::int64_t i = 0; i < count && call.ok(); ++i) problem.run(a_of(i), b_of(i));
  return call.status();
}

}  // namespace
}  // namespace emulator::cublas

DEFINE_CUBLAS_V2_ALL(trmm, EMULATOR_CUBLAS_TRMM, side, uplo, trans, diag, m, n, alpha, A, lda, B,
                     ldb, C, ldc)
DEFINE_CUBLAS_V2_ALL(trsm, EMULATOR_CUBLAS_TRSM, side, uplo, trans, diag, m, n, alpha, A, lda, B,
                     ldb)
DEFINE_CUBLAS_ALL(trsmBatched, EMULATOR_CUBLAS_TRSM_BATCHED, side, uplo, trans, diag, m, n, alpha,
                  A, lda, B, ldb, batchCount)
