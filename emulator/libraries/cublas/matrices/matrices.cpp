/// \file
/// cuBLAS's functions on matrices: sums, products with a diagonal one or a symmetric one.

#include "libraries/cublas/forms.hpp"
#include "libraries/cublas/matrices/openblas_arguments.hpp"

namespace emulator::cublas {
namespace {

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
  if (!call.ok() || m == 0 || n == 0) return call.status();
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
  if (!call.ok()) return call.status();
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
  if (!call.ok() || m == 0 || n == 0 || !call.starts({})) return call.status();

  const bool by_rows = mode == CUBLAS_SIDE_LEFT;
  const Rectangle<const T> from{A, m, n, lda};
  const Line<const T> diagonal{x, by_rows ? m : n, incx};
  const Rectangle<T> to{C, m, n, ldc};
  call.reads("A", from);
  call.reads("x", diagonal);
  call.writes("C", to);
  if (!call.ok()) return call.status();
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) {
      to.column(j)[i] = from.column(j)[i] * diagonal[by_rows ? i : j];
    }
  }
  return call.status();
}

void check_triangle(Call& call, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda) {
  call.fill_mode("uplo", uplo);
  call.size("n", n);
  call.leading_dimension("lda", lda, n);
}

// Of a triangle's two ways to be stored, from one to the other.
template <class T>
cublasStatus_t copy_triangle(Call& call, const char* from_name, const Triangle<const T>& from,
                             const char* to_name, const Triangle<T>& to) {
  if (!call.ok() || from.n == 0 || !call.starts({})) return call.status();
  call.reads(from_name, from);
  call.writes(to_name, to);
  if (!call.ok()) return call.status();
  for (std::int64_t j = 0; j < from.n; ++j) {
    std::copy_n(from.column(j), from.end(j) - from.begin(j), to.column(j));
  }
  return call.status();
}

template <class T>
cublasStatus_t trttp(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                     std::int64_t n, const T* A, std::int64_t lda, T* AP) {
  Call call(function, handle);
  check_triangle(call, uplo, n, lda);
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  return copy_triangle<T>(call, "A", {A, n, upper, Storage::full, lda, n - 1}, "AP",
                          {AP, n, upper, Storage::packed, 0, n - 1});
}

template <class T>
cublasStatus_t tpttr(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                     std::int64_t n, const T* AP, T* A, std::int64_t lda) {
  Call call(function, handle);
  check_triangle(call, uplo, n, lda);
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  return copy_triangle<T>(call, "AP", {AP, n, upper, Storage::packed, 0, n - 1}, "A",
                          {A, n, upper, Storage::full, lda, n - 1});
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
  if (!call.ok() || m == 0 || n == 0) return call.status();
  OpenblasSizes ints(call);
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
  if (!call.ok()) return call.status();
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

}  // namespace
}  // namespace emulator::cublas

DEFINE_CUBLAS_ALL(geam, EMULATOR_CUBLAS_GEAM, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C,
                  ldc)
DEFINE_CUBLAS_ALL(dgmm, EMULATOR_CUBLAS_DGMM, mode, m, n, A, lda, x, incx, C, ldc)
DEFINE_CUBLAS_INT_ALL(trttp, EMULATOR_CUBLAS_TRTTP, uplo, n, A, lda, AP)
DEFINE_CUBLAS_INT_ALL(tpttr, EMULATOR_CUBLAS_TPTTR, uplo, n, AP, A, lda)
#define SYMM side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, ldc
DEFINE_CUBLAS_V2_ALL(symm, EMULATOR_CUBLAS_SYMM, SYMM)
DEFINE_CUBLAS_V2_COMPLEX(hemm, EMULATOR_CUBLAS_SYMM, SYMM)
