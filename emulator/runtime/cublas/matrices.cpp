/// \file
/// cuBLAS's functions on matrices: the checks that its manual promises, then the work.

#include <algorithm>

#include "cublas/call.hpp"
#include "cublas/compute.hpp"
#include "cublas/forms.hpp"
#include "cublas/openblas.hpp"

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
  if (a_factor != 0) call.reads("A", stored(A, a_transposed, m, n, lda));
  if (b_factor != 0) call.reads("B", stored(B, b_transposed, m, n, ldb));
  call.writes("C", Rectangle<T>{C, m, n, ldc});
  if (!call.goes_on()) return call.status();
  weighted_sum(m, n, a_factor, ConstMatrix<T>{A, lda, a_transposed}, b_factor,
               ConstMatrix<T>{B, ldb, b_transposed}, {C, ldc});
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

template <class T>
cublasStatus_t symm(const char* function, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, std::int64_t m, std::int64_t n, const T* alpha,
                    const T* A, std::int64_t lda, const T* B, std::int64_t ldb, const T* beta, T* C,
                    std::int64_t ldc) {
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
  if (product_factor != 0) {
    call.reads("A", Triangle<const T>{A, order, uplo == CUBLAS_FILL_MODE_UPPER, Storage::full, lda,
                                      order - 1});
    call.reads("B", Rectangle<const T>{B, m, n, ldb});
  }
  call.writes("C", result, old_factor != 0);
  if (!call.goes_on()) return call.status();
  scale_pieces(old_factor, result);
  if (product_factor == 0) return call.status();
  of_type<T>(cblas_ssymm, cblas_dsymm)(CblasColMajor, side_of(side), triangle_of(uplo), rows,
                                       columns, product_factor, A, a_distance, B, b_distance, 1, C,
                                       c_distance);
  return call.status();
}

// The products whose results are symmetric.
enum class Rank { k, two_k, k_extended };

// C = alpha op(A) op(B)^T + beta C, and for two_k also alpha op(B) op(A)^T; for k, B is A.
template <class T>
cublasStatus_t rank_update(const char* function, cublasHandle_t handle, Rank rank,
                           cublasFillMode_t uplo, cublasOperation_t trans, std::int64_t n,
                           std::int64_t k, const T* alpha, const T* A, std::int64_t lda, const T* B,
                           std::int64_t ldb, const T* beta, T* C, std::int64_t ldc) {
  Call call(function, handle);
  const bool transposed = is_transposed(trans);
  call.fill_mode("uplo", uplo);
  call.operation("trans", trans);
  call.size("n", n);
  call.size("k", k);
  call.leading_dimension("lda", lda, transposed ? k : n);
  if (rank != Rank::k) call.leading_dimension("ldb", ldb, transposed ? k : n);
  call.leading_dimension("ldc", ldc, n);
  if (!call.goes_on() || n == 0) return call.status();
  if (!call.starts({{"alpha", alpha}, {"beta", beta}, {"C", C}})) return call.status();
  const T product_factor = call.factor("alpha", alpha);
  const T old_factor = call.factor("beta", beta);

  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  const bool has_product = product_factor != 0 && k != 0;
  const Triangle<T> result{C, n, upper, Storage::full, ldc, n - 1};
  if (has_product) {
    call.reads("A", stored(A, transposed, n, k, lda));
    if (rank != Rank::k) call.reads("B", stored(B, transposed, n, k, ldb));
  }
  call.writes("C", result, old_factor != 0);
  if (!call.goes_on()) return call.status();
  scale_pieces(old_factor, result);
  if (!has_product) return call.status();
  const auto add = [&](const T* left, std::int64_t left_ld, const T* right, std::int64_t right_ld) {
    add_product_to_triangle(upper, n, k, product_factor, ConstMatrix<T>{left, left_ld, transposed},
                            ConstMatrix<T>{right, right_ld, !transposed}, {C, ldc});
  };
  add(A, lda, B, ldb);
  if (rank == Rank::two_k) add(B, ldb, A, lda);
  return call.status();
}

template <class T>
cublasStatus_t syrk(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                    cublasOperation_t trans, std::int64_t n, std::int64_t k, const T* alpha,
                    const T* A, std::int64_t lda, const T* beta, T* C, std::int64_t ldc) {
  return rank_update(function, handle, Rank::k, uplo, trans, n, k, alpha, A, lda, A, lda, beta, C,
                     ldc);
}

template <class T, class... Arguments>
cublasStatus_t syr2k(const char* function, cublasHandle_t handle, Arguments... arguments) {
  return rank_update<T>(function, handle, Rank::two_k, arguments...);
}

template <class T, class... Arguments>
cublasStatus_t syrkx(const char* function, cublasHandle_t handle, Arguments... arguments) {
  return rank_update<T>(function, handle, Rank::k_extended, arguments...);
}

// B = alpha op(A) B or alpha B op(A), or the solution X of op(A) X = alpha B or X op(A) = alpha B,
// for a triangular A.
template <class T>
class Triangular {
 public:
  Triangular(Call& call, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
             cublasDiagType_t diag, std::int64_t m, std::int64_t n, const T* A, std::int64_t lda)
      : call_(call),
        side_(side),
        uplo_(uplo),
        trans_(trans),
        diag_(diag),
        m_(m),
        n_(n),
        order_(side == CUBLAS_SIDE_LEFT ? m : n),
        a_(A),
        lda_(lda) {
    call.side("side", side);
    call.fill_mode("uplo", uplo);
    call.operation("trans", trans);
    call.diagonal("diag", diag);
    call.size("m", m);
    call.size("n", n);
    call.leading_dimension("lda", lda, order_);
  }

  void reads() {
    call_.reads("A", Triangle<const T>{a_, order_, uplo_ == CUBLAS_FILL_MODE_UPPER, Storage::full,
                                       lda_, order_ - 1, diag_ == CUBLAS_DIAG_UNIT});
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
  void run(Work work, T alpha, T* b) const {
    work(CblasColMajor, side_of(side_), triangle_of(uplo_), transposition_of(trans_),
         diagonal_of(diag_), rows_, columns_, alpha, a_, a_distance_, b, b_distance_);
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
  const T* a_;
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
  Triangular<T> triangular(call, side, uplo, trans, diag, m, n, A, lda);
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
  if (factor != 0) {
    triangular.reads();
    call.reads("B", from);
  }
  call.writes("C", to);
  if (!call.goes_on()) return call.status();
  if (factor == 0) {
    scale_pieces(factor, to);
    return call.status();
  }
  for (std::int64_t j = 0; B != C && j < n; ++j) {
    std::copy(from.column(j), from.column(j) + m, to.column(j));
  }
  triangular.run(of_type<T>(cblas_strmm, cblas_dtrmm), factor, C);
  return call.status();
}

template <class T>
cublasStatus_t trsm(const char* function, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag,
                    std::int64_t m, std::int64_t n, const T* alpha, const T* A, std::int64_t lda,
                    T* B, std::int64_t ldb) {
  Call call(function, handle);
  Triangular<T> triangular(call, side, uplo, trans, diag, m, n, A, lda);
  call.leading_dimension("ldb", ldb, m);
  if (!call.goes_on() || m == 0 || n == 0) return call.status();
  if (!triangular.fits(ldb) || !call.starts({{"alpha", alpha}})) return call.status();
  const T factor = call.factor("alpha", alpha);
  const Rectangle<T> result{B, m, n, ldb};
  if (factor != 0) triangular.reads();
  call.writes("B", result, factor != 0);
  if (!call.goes_on()) return call.status();
  if (factor == 0) {
    scale_pieces(factor, result);
    return call.status();
  }
  triangular.run(of_type<T>(cblas_strsm, cblas_dtrsm), factor, B);
  return call.status();
}

}  // namespace
}  // namespace emulator::blas

DEFINE_CUBLAS(geam, EMULATOR_CUBLAS_GEAM, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc)
DEFINE_CUBLAS(dgmm, EMULATOR_CUBLAS_DGMM, mode, m, n, A, lda, x, incx, C, ldc)
DEFINE_CUBLAS_V2(symm, EMULATOR_CUBLAS_SYMM, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc)
DEFINE_CUBLAS_V2(syrk, EMULATOR_CUBLAS_SYRK, uplo, trans, n, k, alpha, A, lda, beta, C, ldc)
DEFINE_CUBLAS_V2(syr2k, EMULATOR_CUBLAS_SYR2K, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C,
                 ldc)
DEFINE_CUBLAS(syrkx, EMULATOR_CUBLAS_SYRKX, uplo, trans, n, k, alpha, A, lda, B, ldb, beta, C, ldc)
DEFINE_CUBLAS_V2(trmm, EMULATOR_CUBLAS_TRMM, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb,
                 C, ldc)
DEFINE_CUBLAS_V2(trsm, EMULATOR_CUBLAS_TRSM, side, uplo, trans, diag, m, n, alpha, A, lda, B, ldb)
