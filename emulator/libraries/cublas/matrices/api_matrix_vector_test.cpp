/// \file
/// What programs may expect of cuBLAS's functions on a matrix and vectors: see cublas/api_test.cpp.

#include "libraries/cublas/typed_test.hpp"

using namespace cublas_test;

namespace {

struct Increments {
  int x;
  int y;
};
const Increments increments[] = {{1, 1}, {2, -1}, {-3, 2}};
const int orders[] = {1, 2, 5, 33};

/// `y` as it becomes with y = 2 A x + beta y, for beta 3 and 0; with 0, it holds no numbers before.
template <class T, class Call>
void check_product(const Dense<T>& a, Call call) {
  for (const Increments& increment : increments) {
    const int incx = increment.x;
    const int incy = increment.y;
    for (const T beta : {T(3), T(0)}) {
      CAPTURE(incx);
      CAPTURE(incy);
      CAPTURE(beta);
      const T alpha = 2;
      const Dense<T> x(a.columns, 1, 3);
      const Dense<T> y(a.rows, 1, 6);
      const Dense<T> poison = dense<T>(a.rows, 1, [](int, int) { return nothing<T>; });
      const Array<T> from(spread(x, incx));
      const Array<T> to(spread(beta == 0 ? poison : y, incy));
      CHECK(call(&alpha, from.get(), incx, &beta, to.get(), incy) == success);
      CHECK(agree(to.numbers(), spread(product(alpha, a, x, beta, y), incy)));
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("cublas: gemv and gbmv", T, float, double) {
  const Handle handle;
  struct Shape {
    int m;
    int n;
    int kl;
    int ku;
  };
  for (const Shape s :
       {Shape{1, 1, 0, 0}, Shape{7, 4, 2, 1}, Shape{5, 40, 0, 3}, Shape{33, 31, 40, 1}}) {
    CAPTURE(s.m);
    CAPTURE(s.n);
    const Dense<T> whole(s.m, s.n, 1);
    const auto band = dense<T>(
        s.m, s.n, [&](int i, int j) { return i - j > s.kl || j - i > s.ku ? 0 : whole(i, j); });
    const int lda = s.m + 3;
    const int ld_band = s.kl + s.ku + 2;
    const Array<T> a(stored(whole, lda));
    const Array<T> b(banded(band, s.kl, s.ku, ld_band));
    for (const auto trans : {op_n, op_t, op_c}) {
      CAPTURE(trans);
      check_product(op(whole, trans),
                    [&](const T* alpha, const T* x, int incx, const T* beta, T* y, int incy) {
                      return of<T>(cublasSgemv, cublasDgemv)(handle, trans, s.m, s.n, alpha,
                                                             a.get(), lda, x, incx, beta, y, incy);
                    });
      check_product(op(band, trans), [&](const T* alpha, const T* x, int incx, const T* beta, T* y,
                                         int incy) {
        return of<T>(cublasSgbmv, cublasDgbmv)(handle, trans, s.m, s.n, s.kl, s.ku, alpha, b.get(),
                                               ld_band, x, incx, beta, y, incy);
      });
    }
  }
}

TEST_CASE_TEMPLATE("cublas: symv, sbmv and spmv", T, float, double) {
  const Handle handle;
  for (const int n : orders) {
    for (const auto uplo : {lower, upper}) {
      CAPTURE(n);
      CAPTURE(uplo);
      const int k = n / 3;
      const Dense<T> whole = symmetric<T>(n, n, 1);
      const Dense<T> band = symmetric<T>(n, k, 2);
      const Array<T> a(stored(one_triangle(whole, uplo), n + 2));
      const Array<T> b(banded(band, uplo == upper ? 0 : k, uplo == upper ? k : 0, k + 2));
      const Array<T> p(packed(whole, uplo));
      check_product(whole,
                    [&](const T* alpha, const T* x, int incx, const T* beta, T* y, int incy) {
                      return of<T>(cublasSsymv, cublasDsymv)(handle, uplo, n, alpha, a.get(), n + 2,
                                                             x, incx, beta, y, incy);
                    });
      check_product(band, [&](const T* alpha, const T* x, int incx, const T* beta, T* y, int incy) {
        return of<T>(cublasSsbmv, cublasDsbmv)(handle, uplo, n, k, alpha, b.get(), k + 2, x, incx,
                                               beta, y, incy);
      });
      check_product(whole,
                    [&](const T* alpha, const T* x, int incx, const T* beta, T* y, int incy) {
                      return of<T>(cublasSspmv_64, cublasDspmv_64)(handle, uplo, n, alpha, p.get(),
                                                                   x, incx, beta, y, incy);
                    });
    }
  }
}

TEST_CASE_TEMPLATE("cublas: ger, syr, syr2, spr and spr2", T, float, double) {
  const Handle handle;
  const T alpha = 2;
  for (const int n : orders) {
    for (const Increments& increment : increments) {
      const int incx = increment.x;
      const int incy = increment.y;
      CAPTURE(n);
      CAPTURE(incx);
      CAPTURE(incy);
      const int ld = n + 2;
      const Dense<T> x(n, 1, 1);
      const Dense<T> y(n, 1, 4);
      const Dense<T> wide(n + 1, 1, 6);
      const Array<T> from_x(spread(x, incx));
      const Array<T> from_y(spread(y, incy));
      const Array<T> from_wide(spread(wide, incy));
      {
        const Dense<T> a(n, n + 1, 3);
        const Array<T> to(stored(a, ld));
        CHECK(of<T>(cublasSger, cublasDger)(handle, n, n + 1, &alpha, from_x.get(), incx,
                                            from_wide.get(), incy, to.get(), ld) == success);
        const auto sum =
            dense<T>(n, n + 1, [&](int i, int j) { return 2 * x(i) * wide(j) + a(i, j); });
        CHECK(agree(to.numbers(), stored(sum, ld)));
      }
      for (const auto uplo : {lower, upper}) {
        const Dense<T> a = symmetric<T>(n, n, 5);
        const auto one_product =
            dense<T>(n, n, [&](int i, int j) { return 2 * x(i) * x(j) + a(i, j); });
        const auto two_products =
            dense<T>(n, n, [&](int i, int j) { return 2 * (x(i) * y(j) + y(i) * x(j)) + a(i, j); });
        const Array<T> one(stored(one_triangle(a, uplo), ld));
        const Array<T> two(stored(one_triangle(a, uplo), ld));
        const Array<T> packed_one(packed(a, uplo));
        const Array<T> packed_two(packed(a, uplo));
        CHECK(of<T>(cublasSsyr, cublasDsyr)(handle, uplo, n, &alpha, from_x.get(), incx, one.get(),
                                            ld) == success);
        CHECK(of<T>(cublasSsyr2, cublasDsyr2)(handle, uplo, n, &alpha, from_x.get(), incx,
                                              from_y.get(), incy, two.get(), ld) == success);
        CHECK(of<T>(cublasSspr, cublasDspr)(handle, uplo, n, &alpha, from_x.get(), incx,
                                            packed_one.get()) == success);
        CHECK(of<T>(cublasSspr2, cublasDspr2)(handle, uplo, n, &alpha, from_x.get(), incx,
                                              from_y.get(), incy, packed_two.get()) == success);
        CHECK(agree(one.numbers(), stored(one_triangle(one_product, uplo), ld)));
        CHECK(agree(two.numbers(), stored(one_triangle(two_products, uplo), ld)));
        CHECK(agree(packed_one.numbers(), packed(one_product, uplo)));
        CHECK(agree(packed_two.numbers(), packed(two_products, uplo)));
      }
    }
  }
}

// Each product's inverse is tested on what the product has to be.
TEST_CASE_TEMPLATE("cublas: trmv, tbmv, tpmv, and trsv, tbsv, tpsv", T, float, double) {
  const Handle handle;
  const double error = 1e-5;
  for (const int n : orders) {
    for (const auto uplo : {lower, upper}) {
      for (const auto diag : {unit, non_unit}) {
        for (const auto trans : {op_n, op_t, op_c}) {
          for (const int incx : {1, 2, -3}) {
            CAPTURE(n);
            CAPTURE(uplo);
            CAPTURE(diag);
            CAPTURE(trans);
            CAPTURE(incx);
            const int ld = n + 1;
            const int k = n / 3;
            const Dense<T> whole = triangular<T>(n, n, uplo, diag);
            const Dense<T> band = triangular<T>(n, k, uplo, diag);
            const auto without_diagonal = [&](const Dense<T>& a) {
              return dense<T>(n, n, [&](int i, int j) {
                return diag == unit && i == j ? nothing<T> : a(i, j);
              });
            };
            const Array<T> a(stored(one_triangle(whole, uplo, diag), ld));
            const Array<T> b(banded(without_diagonal(band), uplo == upper ? 0 : k,
                                    uplo == upper ? k : 0, k + 2));
            const Array<T> p(packed(without_diagonal(whole), uplo));
            const Dense<T> x(n, 1, 2);
            const Dense<T> y = product(T(1), op(whole, trans), x, T(0), x);
            const Dense<T> z = product(T(1), op(band, trans), x, T(0), x);
            const Array<T> v(spread(x, incx));
            CHECK(of<T>(cublasStrmv, cublasDtrmv)(handle, uplo, trans, diag, n, a.get(), ld,
                                                  v.get(), incx) == success);
            CHECK(agree(v.numbers(), spread(y, incx)));
            CHECK(of<T>(cublasStrsv, cublasDtrsv)(handle, uplo, trans, diag, n, a.get(), ld,
                                                  v.get(), incx) == success);
            CHECK(agree(v.numbers(), spread(x, incx), error));
            const Array<T> w(spread(x, incx));
            CHECK(of<T>(cublasStpmv, cublasDtpmv)(handle, uplo, trans, diag, n, p.get(), w.get(),
                                                  incx) == success);
            CHECK(agree(w.numbers(), spread(y, incx)));
            CHECK(of<T>(cublasStpsv, cublasDtpsv)(handle, uplo, trans, diag, n, p.get(), w.get(),
                                                  incx) == success);
            CHECK(agree(w.numbers(), spread(x, incx), error));
            const Array<T> u(spread(x, incx));
            CHECK(of<T>(cublasStbmv, cublasDtbmv)(handle, uplo, trans, diag, n, k, b.get(), k + 2,
                                                  u.get(), incx) == success);
            CHECK(agree(u.numbers(), spread(z, incx)));
            CHECK(of<T>(cublasStbsv_64, cublasDtbsv_64)(handle, uplo, trans, diag, n, k, b.get(),
                                                        k + 2, u.get(), incx) == success);
            CHECK(agree(u.numbers(), spread(x, incx), error));
          }
        }
      }
    }
  }
}

TEST_CASE("cublas: functions on a matrix and vectors refuse what makes no sense") {
  const Handle handle;
  const Array<double> numbers({1, 2, 3, 4, 5, 6});
  double* const d = numbers.get();
  const double one_of_it = 1;
  const double* const f = &one_of_it;
  const auto no_fill = static_cast<cublasFillMode_t>(7);
  const auto no_diagonal = static_cast<cublasDiagType_t>(7);
  const auto no_operation = static_cast<cublasOperation_t>(9);
  CHECK(cublasDger(handle, -1, 1, f, d, 1, d, 1, d, 1) == invalid);
  CHECK(cublasDger(handle, 1, -1, f, d, 1, d, 1, d, 1) == invalid);
  CHECK(cublasDger(handle, 1, 1, f, d, 0, d, 1, d, 1) == invalid);
  CHECK(cublasDger(handle, 1, 1, f, d, 1, d, 0, d, 1) == invalid);
  CHECK(cublasDger(handle, 2, 1, f, d, 1, d, 1, d, 1) == invalid);
  CHECK(cublasDger(handle, 0, 1, f, d, 1, d, 1, d, 1) == success);
  CHECK(cublasDsymv(handle, no_fill, 1, f, d, 1, d, 1, f, d, 1) == invalid);
  CHECK(cublasDsymv(handle, upper, -1, f, d, 1, d, 1, f, d, 1) == invalid);
  CHECK(cublasDsymv(handle, upper, 2, f, d, 1, d, 1, f, d, 1) == invalid);
  CHECK(cublasDsymv(handle, upper, 1, f, d, 1, d, 0, f, d, 1) == invalid);
  CHECK(cublasDsymv(handle, upper, 0, f, d, 1, d, 1, f, d, 1) == success);
  CHECK(cublasDsbmv(handle, upper, 1, -1, f, d, 1, d, 1, f, d, 1) == invalid);
  CHECK(cublasDsbmv(handle, upper, 1, 1, f, d, 1, d, 1, f, d, 1) == invalid);
  CHECK(cublasDgbmv(handle, op_n, 1, 1, 1, 1, f, d, 2, d, 1, f, d, 1) == invalid);
  CHECK(cublasDgbmv(handle, op_n, 1, 1, -1, 1, f, d, 3, d, 1, f, d, 1) == invalid);
  CHECK(cublasDtrmv(handle, no_fill, op_n, unit, 1, d, 1, d, 1) == invalid);
  CHECK(cublasDtrmv(handle, upper, no_operation, unit, 1, d, 1, d, 1) == invalid);
  CHECK(cublasDtrmv(handle, upper, op_n, no_diagonal, 1, d, 1, d, 1) == invalid);
  CHECK(cublasDtrsv(handle, upper, op_n, unit, 2, d, 1, d, 1) == invalid);
  CHECK(cublasDtpsv(handle, upper, op_n, unit, 1, d, d, 0) == invalid);
  CHECK(cublasDtpsv(nullptr, upper, op_n, unit, 1, d, d, 1) == no_handle);
  CHECK(agree(numbers.numbers(), {1, 2, 3, 4, 5, 6}));
}
