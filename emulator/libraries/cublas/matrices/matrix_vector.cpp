/// \file
/// cuBLAS's functions on band, symmetric and triangular matrices and vectors, and ger: the checks
/// that its manual promises, then the work.

#include "libraries/common/triangles.hpp"
#include "libraries/cublas/call.hpp"
#include "libraries/cublas/compute.hpp"
#include "libraries/cublas/forms.hpp"

namespace emulator::cublas {
namespace {

template <class T>
cublasStatus_t gbmv(const char* function, cublasHandle_t handle, cublasOperation_t trans,
                    std::int64_t m, std::int64_t n, std::int64_t kl, std::int64_t ku,
                    const T* alpha, const T* A, std::int64_t lda, const T* x, std::int64_t incx,
                    const T* beta, T* y, std::int64_t incy) {
  Call call(function, handle);
  call.operation("trans", trans);
  call.size("m", m);
  call.size("n", n);
  call.size("kl", kl);
  call.size("ku", ku);
  call.leading_dimension("lda", lda, stored_rows(kl, ku));
  call.increment("incx", incx);
  call.increment("incy", incy);
  if (!call.ok() || m == 0 || n == 0) return call.status();
  if (!call.starts({{"alpha", alpha}, {"beta", beta}})) return call.status();
  const T product_factor = call.factor("alpha", alpha);
  const T old_factor = call.factor("beta", beta);

  const bool transposed = is_transposed(trans);
  const Band<const T> band{A, m, n, kl, ku, lda};
  const Line<const T> from{x, transposed ? m : n, incx};
  const Line<T> to{y, transposed ? n : m, incy};
  if (product_factor != T(0)) {
    call.reads("A", band);
    call.reads("x", from);
  }
  call.writes("y", to, old_factor != T(0));
  if (!call.ok()) return call.status();
  scale(old_factor, to);
  if (product_factor == T(0)) return call.status();
  for (std::int64_t j = 0; j < n && band.begin(j) < m; ++j) {
    for (std::int64_t i = band.begin(j); i < band.end(j); ++i) {
      const T element = conjugate(*band.at(i, j), is_conjugated(trans));
      to[transposed ? j : i] += product_factor * element * from[transposed ? i : j];
    }
  }
  return call.status();
}

template <class T, bool conjugated = false>
cublasStatus_t outer_product(const char* function, cublasHandle_t handle, std::int64_t m,
                             std::int64_t n, const T* alpha, const T* x, std::int64_t incx,
                             const T* y, std::int64_t incy, T* A, std::int64_t lda) {
  Call call(function, handle);
  call.size("m", m);
  call.size("n", n);
  call.increment("incx", incx);
  call.increment("incy", incy);
  call.leading_dimension("lda", lda, m);
  if (!call.ok() || m == 0 || n == 0) return call.status();
  if (!call.starts({{"alpha", alpha}})) return call.status();
  const T factor = call.factor("alpha", alpha);
  if (!call.ok() || factor == T(0)) return call.status();

  const Line<const T> a{x, m, incx};
  const Line<const T> b{y, n, incy};
  const Rectangle<T> result{A, m, n, lda};
  call.reads("x", a);
  call.reads("y", b);
  call.writes("A", result, true);
  if (!call.ok()) return call.status();
  for (std::int64_t j = 0; j < n; ++j) {
    T* const column = result.column(j);
    const T column_factor = factor * conjugate(b[j], conjugated);
    for (std::int64_t i = 0; i < m; ++i) column[i] += column_factor * a[i];
  }
  return call.status();
}

template <class T>
constexpr auto ger = outer_product<T>;
template <class T>
constexpr auto geru = outer_product<T>;
template <class T>
constexpr auto gerc = outer_product<T, true>;

// How a triangle is stored, as the arguments of a function say.
struct Form {
  cublasFillMode_t uplo;
  std::int64_t n;
  Storage storage;
  std::int64_t lda = 0;
  std::int64_t k = 0;
  bool hermitian = false;

  void check(Call& call) const {
    call.fill_mode("uplo", uplo);
    call.size("n", n);
    if (storage == Storage::band) call.size("k", k);
    if (storage == Storage::full) call.leading_dimension("lda", lda, n);
    if (storage == Storage::band) call.leading_dimension("lda", lda, stored_rows(k, 0));
  }
  const char* matrix() const { return storage == Storage::packed ? "AP" : "A"; }
  template <class T>
  Triangle<T> of(T* data) const {
    return {data,    n,   uplo == CUBLAS_FILL_MODE_UPPER,
            storage, lda, storage == Storage::band ? k : n - 1};
  }
};

// y = alpha A x + beta y for a symmetric or Hermitian A.
template <class T>
cublasStatus_t symmetric_product(const char* function, cublasHandle_t handle, const Form& form,
                                 const T* alpha, const T* A, const T* x, std::int64_t incx,
                                 const T* beta, T* y, std::int64_t incy) {
  Call call(function, handle);
  form.check(call);
  call.increment("incx", incx);
  call.increment("incy", incy);
  if (!call.ok() || form.n == 0) return call.status();
  if (!call.starts({{"alpha", alpha}, {"beta", beta}})) return call.status();
  const T product_factor = call.factor("alpha", alpha);
  const T old_factor = call.factor("beta", beta);

  const auto triangle = form.of(A);
  const Line<const T> from{x, form.n, incx};
  const Line<T> to{y, form.n, incy};
  if (product_factor != T(0)) {
    call.reads(form.matrix(), triangle);
    call.reads("x", from);
  }
  call.writes("y", to, old_factor != T(0));
  if (!call.ok()) return call.status();
  scale(old_factor, to);
  if (product_factor != T(0))
    add_symmetric_product(product_factor, triangle, from, to, form.hermitian);
  return call.status();
}

// A += alpha x x^T, or with y A += alpha (x y^T + y x^T), or what stands for these if A is
// Hermitian.
template <class T, class Factor>
cublasStatus_t outer_products(const char* function, cublasHandle_t handle, const Form& form,
                              const Factor* alpha, const T* x, std::int64_t incx, bool has_y,
                              const T* y, std::int64_t incy, T* A) {
  Call call(function, handle);
  form.check(call);
  call.increment("incx", incx);
  if (has_y) call.increment("incy", incy);
  if (!call.ok() || form.n == 0) return call.status();
  if (!call.starts({{"alpha", alpha}})) return call.status();
  const T factor = T(call.factor("alpha", alpha));
  if (!call.ok() || factor == T(0)) return call.status();

  const auto triangle = form.of(A);
  const Line<const T> a{x, form.n, incx};
  const Line<const T> b{y, form.n, incy};
  call.reads("x", a);
  if (has_y) call.reads("y", b);
  call.writes(form.matrix(), triangle, true);
  if (!call.ok()) return call.status();
  if (has_y) {
    add_outer_products(factor, a, b, triangle, form.hermitian);
  } else {
    add_outer_product(factor, a, triangle, form.hermitian);
  }
  return call.status();
}

// x = op(A) x, or the solution of op(A) y = x, for a triangular A.
template <class T>
cublasStatus_t triangular(const char* function, cublasHandle_t handle, bool solve, const Form& form,
                          cublasOperation_t trans, cublasDiagType_t diag, const T* A, T* x,
                          std::int64_t incx) {
  Call call(function, handle);
  form.check(call);
  call.operation("trans", trans);
  call.diagonal("diag", diag);
  call.increment("incx", incx);
  if (!call.ok() || form.n == 0 || !call.starts({})) return call.status();

  auto triangle = form.of(A);
  triangle.skips_diagonal = diag == CUBLAS_DIAG_UNIT;
  const Line<T> line{x, form.n, incx};
  call.reads(form.matrix(), triangle);
  call.writes("x", line, true);
  if (!call.ok()) return call.status();
  const auto work = solve ? solve_triangle<T> : multiply_by_triangle<T>;
  work(triangle, {is_transposed(trans), is_conjugated(trans), diag == CUBLAS_DIAG_UNIT}, line);
  return call.status();
}

// The public functions' parameters in these functions' order.

template <class T, bool hermitian = false>
cublasStatus_t symmetric(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                         std::int64_t n, const T* alpha, const T* A, std::int64_t lda, const T* x,
                         std::int64_t incx, const T* beta, T* y, std::int64_t incy) {
  return symmetric_product(function, handle, {uplo, n, Storage::full, lda, 0, hermitian}, alpha, A,
                           x, incx, beta, y, incy);
}

template <class T, bool hermitian = false>
cublasStatus_t symmetric_band(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                              std::int64_t n, std::int64_t k, const T* alpha, const T* A,
                              std::int64_t lda, const T* x, std::int64_t incx, const T* beta, T* y,
                              std::int64_t incy) {
  return symmetric_product(function, handle, {uplo, n, Storage::band, lda, k, hermitian}, alpha, A,
                           x, incx, beta, y, incy);
}

template <class T, bool hermitian = false>
cublasStatus_t symmetric_packed(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                                std::int64_t n, const T* alpha, const T* AP, const T* x,
                                std::int64_t incx, const T* beta, T* y, std::int64_t incy) {
  return symmetric_product(function, handle, {uplo, n, Storage::packed, 0, 0, hermitian}, alpha, AP,
                           x, incx, beta, y, incy);
}

template <class T>
constexpr auto symv = symmetric<T>;
template <class T>
constexpr auto hemv = symmetric<T, true>;
template <class T>
constexpr auto sbmv = symmetric_band<T>;
template <class T>
constexpr auto hbmv = symmetric_band<T, true>;
template <class T>
constexpr auto spmv = symmetric_packed<T>;
template <class T>
constexpr auto hpmv = symmetric_packed<T, true>;

template <class T, bool hermitian = false>
cublasStatus_t add_one(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                       std::int64_t n, const std::conditional_t<hermitian, Real<T>, T>* alpha,
                       const T* x, std::int64_t incx, T* A, std::int64_t lda) {
  return outer_products<T>(function, handle, {uplo, n, Storage::full, lda, 0, hermitian}, alpha, x,
                           incx, false, nullptr, 1, A);
}

template <class T, bool hermitian = false>
cublasStatus_t add_one_packed(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                              std::int64_t n,
                              const std::conditional_t<hermitian, Real<T>, T>* alpha, const T* x,
                              std::int64_t incx, T* AP) {
  return outer_products<T>(function, handle, {uplo, n, Storage::packed, 0, 0, hermitian}, alpha, x,
                           incx, false, nullptr, 1, AP);
}

template <class T, bool hermitian = false>
cublasStatus_t add_two(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                       std::int64_t n, const T* alpha, const T* x, std::int64_t incx, const T* y,
                       std::int64_t incy, T* A, std::int64_t lda) {
  return outer_products<T>(function, handle, {uplo, n, Storage::full, lda, 0, hermitian}, alpha, x,
                           incx, true, y, incy, A);
}

template <class T, bool hermitian = false>
cublasStatus_t add_two_packed(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                              std::int64_t n, const T* alpha, const T* x, std::int64_t incx,
                              const T* y, std::int64_t incy, T* AP) {
  return outer_products<T>(function, handle, {uplo, n, Storage::packed, 0, 0, hermitian}, alpha, x,
                           incx, true, y, incy, AP);
}

template <class T>
constexpr auto syr = add_one<T>;
template <class T>
constexpr auto her = add_one<T, true>;
template <class T>
constexpr auto spr = add_one_packed<T>;
template <class T>
constexpr auto hpr = add_one_packed<T, true>;
template <class T>
constexpr auto syr2 = add_two<T>;
template <class T>
constexpr auto her2 = add_two<T, true>;
template <class T>
constexpr auto spr2 = add_two_packed<T>;
template <class T>
constexpr auto hpr2 = add_two_packed<T, true>;

template <class T, bool solve, Storage storage>
cublasStatus_t triangular_in(const char* function, cublasHandle_t handle, cublasFillMode_t uplo,
                             cublasOperation_t trans, cublasDiagType_t diag, std::int64_t n,
                             std::int64_t k, const T* A, std::int64_t lda, T* x,
                             std::int64_t incx) {
  return triangular(function, handle, solve, {uplo, n, storage, lda, k}, trans, diag, A, x, incx);
}

template <class T>
constexpr auto trmv = triangular_in<T, false, Storage::full>;
template <class T>
constexpr auto tbmv = triangular_in<T, false, Storage::band>;
template <class T>
constexpr auto tpmv = triangular_in<T, false, Storage::packed>;
template <class T>
constexpr auto trsv = triangular_in<T, true, Storage::full>;
template <class T>
constexpr auto tbsv = triangular_in<T, true, Storage::band>;
template <class T>
constexpr auto tpsv = triangular_in<T, true, Storage::packed>;

}  // namespace
}  // namespace emulator::cublas

DEFINE_CUBLAS_V2_ALL(gbmv, EMULATOR_CUBLAS_GBMV, trans, m, n, kl, ku, alpha, A, lda, x, incx, beta,
                     y, incy)
#define GER m, n, alpha, x, incx, y, incy, A, lda
DEFINE_CUBLAS_V2(ger, EMULATOR_CUBLAS_GER, GER)
DEFINE_CUBLAS_V2_COMPLEX(geru, EMULATOR_CUBLAS_GER, GER)
DEFINE_CUBLAS_V2_COMPLEX(gerc, EMULATOR_CUBLAS_GER, GER)
#define SYMV uplo, n, alpha, A, lda, x, incx, beta, y, incy
DEFINE_CUBLAS_V2_ALL(symv, EMULATOR_CUBLAS_SYMV, SYMV)
DEFINE_CUBLAS_V2_COMPLEX(hemv, EMULATOR_CUBLAS_SYMV, SYMV)
#define SBMV uplo, n, k, alpha, A, lda, x, incx, beta, y, incy
DEFINE_CUBLAS_V2(sbmv, EMULATOR_CUBLAS_SBMV, SBMV)
DEFINE_CUBLAS_V2_COMPLEX(hbmv, EMULATOR_CUBLAS_SBMV, SBMV)
#define SPMV uplo, n, alpha, AP, x, incx, beta, y, incy
DEFINE_CUBLAS_V2(spmv, EMULATOR_CUBLAS_SPMV, SPMV)
DEFINE_CUBLAS_V2_COMPLEX(hpmv, EMULATOR_CUBLAS_SPMV, SPMV)
#define SYR uplo, n, alpha, x, incx, A, lda
DEFINE_CUBLAS_V2_ALL(syr, EMULATOR_CUBLAS_SYR, SYR)
DEFINE_CUBLAS_V2_COMPLEX(her, EMULATOR_CUBLAS_HER, SYR)
#define SPR uplo, n, alpha, x, incx, AP
DEFINE_CUBLAS_V2(spr, EMULATOR_CUBLAS_SPR, SPR)
DEFINE_CUBLAS_V2_COMPLEX(hpr, EMULATOR_CUBLAS_HPR, SPR)
#define SYR2 uplo, n, alpha, x, incx, y, incy, A, lda
DEFINE_CUBLAS_V2_ALL(syr2, EMULATOR_CUBLAS_SYR2, SYR2)
DEFINE_CUBLAS_V2_COMPLEX(her2, EMULATOR_CUBLAS_SYR2, SYR2)
#define SPR2 uplo, n, alpha, x, incx, y, incy, AP
DEFINE_CUBLAS_V2(spr2, EMULATOR_CUBLAS_SPR2, SPR2)
DEFINE_CUBLAS_V2_COMPLEX(hpr2, EMULATOR_CUBLAS_SPR2, SPR2)
DEFINE_CUBLAS_V2_ALL(trmv, EMULATOR_CUBLAS_TRMV, uplo, trans, diag, n, 0, A, lda, x, incx)
DEFINE_CUBLAS_V2_ALL(tbmv, EMULATOR_CUBLAS_TBMV, uplo, trans, diag, n, k, A, lda, x, incx)
DEFINE_CUBLAS_V2_ALL(tpmv, EMULATOR_CUBLAS_TPMV, uplo, trans, diag, n, 0, AP, 0, x, incx)
DEFINE_CUBLAS_V2_ALL(trsv, EMULATOR_CUBLAS_TRSV, uplo, trans, diag, n, 0, A, lda, x, incx)
DEFINE_CUBLAS_V2_ALL(tbsv, EMULATOR_CUBLAS_TBSV, uplo, trans, diag, n, k, A, lda, x, incx)
DEFINE_CUBLAS_V2_ALL(tpsv, EMULATOR_CUBLAS_TPSV, uplo, trans, diag, n, 0, AP, 0, x, incx)
