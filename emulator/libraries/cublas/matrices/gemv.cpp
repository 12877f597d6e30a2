/// \file
/// cuBLAS's products of a matrix and a vector, one or many. The library of CUDA 13 is laxer than
/// its manual at times: cublasSgemv() succeeds without a word for negative sizes, an increment of
/// 0, an unknown operation, or a single column with a leading dimension that is too small.

#include "libraries/cublas/batches.hpp"
#include "libraries/cublas/compute.hpp"
#include "libraries/cublas/forms.hpp"

namespace emulator::cublas {
namespace {

template <class T>
struct Gemv {
  cublasOperation_t trans;
  std::int64_t m;
  std::int64_t n;
  std::int64_t lda;
  std::int64_t incx;
  std::int64_t incy;
  T alpha = 0;
  T beta = 0;

  // Whether there is anything to do.
  bool starts(Call& call, const T* alpha_pointer, const T* beta_pointer, std::int64_t count = 1) {
    call.operation("trans", trans);
    call.size("m", m);
    call.size("n", n);
    call.leading_dimension("lda", lda, m);
    call.increment("incx", incx);
    call.increment("incy", incy);
    call.size("batchCount", count);
    if (!call.ok() || m == 0 || n == 0 || count == 0) return false;
    if (!call.starts({{"alpha", alpha_pointer}, {"beta", beta_pointer}})) return false;
    alpha = call.factor("alpha", alpha_pointer);
    beta = call.factor("beta", beta_pointer);
    return call.ok();
  }

  Line<const T> from(const T* x) const { return {x, is_transposed(trans) ? m : n, incx}; }
  Line<T> to(T* y) const { return {y, is_transposed(trans) ? n : m, incy}; }

  void access(Call& call, const std::string& suffix, const T* a, const T* x, T* y) const {
    if (alpha != T(0)) {
      call.reads("A" + suffix, Rectangle<const T>{a, m, n, lda});
      call.reads("x" + suffix, from(x));
    }
    call.writes("y" + suffix, to(y), beta != T(0));
  }

  void run(const T* a, const T* x, T* y) const {
    scale(beta, to(y));
    if (alpha != T(0)) {
      add_product(alpha, ConstMatrix<T>{a, lda, is_transposed(trans), is_conjugated(trans)},
                  from(x), to(y));
    }
  }
};

template <class T>
cublasStatus_t gemv(const char* function, cublasHandle_t handle, cublasOperation_t trans,
                    std::int64_t m, std::int64_t n, const T* alpha, const T* A, std::int64_t lda,
                    const T* x, std::int64_t incx, const T* beta, T* y, std::int64_t incy) {
  Call call(function, handle);
  Gemv<T> problem{trans, m, n, lda, incx, incy};
  if (!problem.starts(call, alpha, beta)) return call.status();
  problem.access(call, "", A, x, y);
  if (call.ok()) problem.run(A, x, y);
  return call.status();
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t gemvBatched(const char* function, cublasHandle_t handle, cublasOperation_t trans,
                           std::int64_t m, std::int64_t n, const T* alpha, const T* const* a,
                           std::int64_t lda, const T* const* x, std::int64_t incx, const T* beta,
                           T* const* y, std::int64_t incy, std::int64_t count) {
  Call call(function, handle);
  Gemv<T> problem{trans, m, n, lda, incx, incy};
  if (!problem.starts(call, alpha, beta, count)) return call.status();
  const bool has_product = problem.alpha != T(0);
  const auto a_of = from_array(call, "Aarray", a, count, has_product);
  const auto x_of = from_array(call, "xarray", x, count, has_product);
  const auto y_of = from_array(call, "yarray", y, count, true);
  run_batch(call, problem, count, a_of, x_of, y_of);
  return call.status();
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t gemvStridedBatched(const char* function, cublasHandle_t handle,
                                  cublasOperation_t trans, std::int64_t m, std::int64_t n,
                                  const T* alpha, const T* A, std::int64_t lda, long long a_stride,
                                  const T* x, std::int64_t incx, long long x_stride, const T* beta,
                                  T* y, std::int64_t incy, long long y_stride, std::int64_t count) {
  Call call(function, handle);
  Gemv<T> problem{trans, m, n, lda, incx, incy};
  if (!problem.starts(call, alpha, beta, count)) return call.status();
  run_batch(call, problem, count, strided(A, a_stride), strided(x, x_stride), strided(y, y_stride));
  return call.status();
}

}  // namespace
}  // namespace emulator::cublas

DEFINE_CUBLAS_V2_ALL(gemv, EMULATOR_CUBLAS_GEMV, trans, m, n, alpha, A, lda, x, incx, beta, y, incy)
DEFINE_CUBLAS_ALL(gemvBatched, EMULATOR_CUBLAS_GEMV_BATCHED, trans, m, n, alpha, Aarray, lda,
                  xarray, incx, beta, yarray, incy, batchCount)
DEFINE_CUBLAS_ALL(gemvStridedBatched, EMULATOR_CUBLAS_GEMV_STRIDED, trans, m, n, alpha, A, lda,
                  strideA, x, incx, stridex, beta, y, incy, stridey, batchCount)
