/// \file
/// What programs may expect of cuBLAS's functions on matrices, for both types: see
/// cublas/api_test.cpp.

#include "libraries/cublas/typed_test.hpp"

using namespace cublas_test;

namespace {

struct Shape {
  int m;
  int n;
};
const Shape shapes[] = {{1, 1}, {3, 2}, {5, 33}, {130, 101}};
const int sizes[] = {1, 3, 33, 97, 130};

template <class T>
constexpr T poison(T beta, T value) {
  return beta == 0 ? nothing<T> : value;
}

/// C before the call, of no use to code that must not read it.
template <class T>
Dense<T> before(T beta, const Dense<T>& c) {
  return dense<T>(c.rows, c.columns, [&](int i, int j) { return poison(beta, c(i, j)); });
}

}  // namespace

TEST_CASE("cublas: dgemm and dgeam, for all operations") {
  const Handle handle;
  const double alpha = 2;
  for (const Shape& shape : shapes) {
    const int m = shape.m;
    const int n = shape.n;
    const int k = m + 4;
    const int ld = 150;
    for (const auto op_a : {op_n, op_t}) {
      for (const auto op_b : {op_n, op_c}) {
        for (const double beta : {3.0, 0.0}) {
          const Dense<double> a(m, k, 1);
          const Dense<double> b(k, n, 2);
          const Dense<double> c(m, n, 3);
          const Dense<double> e(m, n, 4);
          const Array<double> a_there(stored(op(a, op_a), ld));
          const Array<double> b_there(stored(op(b, op_b), ld));
          const Array<double> c_there(stored(before(beta, c), ld));
          CHECK(cublasDgemm(handle, op_a, op_b, m, n, k, &alpha, a_there.get(), ld, b_there.get(),
                            ld, &beta, c_there.get(), ld) == success);
          CHECK(agree(c_there.numbers(), stored(product(alpha, a, b, beta, c), ld)));
          const Array<double> d_there(stored(op(c, op_a), ld));
          const Array<double> e_there(stored(op(e, op_b), ld));
          CHECK(cublasDgeam_64(handle, op_a, op_b, m, n, &alpha, d_there.get(), ld, &beta,
                               e_there.get(), ld, c_there.get(), ld) == success);
          const auto sum = dense<double>(
              c.rows, c.columns, [&](int i, int j) { return 2 * c(i, j) + beta * e(i, j); });
          CHECK(agree(c_there.numbers(), stored(sum, ld)));
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("cublas: symm", T, float, double) {
  const Handle handle;
  const T alpha = 2;
  for (const Shape& shape : shapes) {
    const int m = shape.m;
    const int n = shape.n;
    for (const auto side : {left, right}) {
      for (const auto uplo : {lower, upper}) {
        for (const T beta : {T(3), T(0)}) {
          CAPTURE(m);
          CAPTURE(side);
          CAPTURE(uplo);
          CAPTURE(beta);
          const int order = side == left ? m : n;
          const Dense<T> a = symmetric<T>(order, order, 1);
          const Dense<T> b(m, n, 2);
          const Dense<T> c(m, n, 3);
          const Array<T> a_there(stored(one_triangle(a, uplo), order + 1));
          const Array<T> b_there(stored(b, m + 2));
          const Array<T> c_there(stored(before(beta, c), m + 3));
          CHECK(of<T>(cublasSsymm, cublasDsymm)(handle, side, uplo, m, n, &alpha, a_there.get(),
                                                order + 1, b_there.get(), m + 2, &beta,
                                                c_there.get(), m + 3) == success);
          const auto expected =
              side == left ? product(alpha, a, b, beta, c) : product(alpha, b, a, beta, c);
          CHECK(agree(c_there.numbers(), stored(expected, m + 3)));
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("cublas: syrk, syr2k and syrkx", T, float, double) {
  const Handle handle;
  const T alpha = 2;
  for (const int n : sizes) {
    for (const int k : {0, 1, 40}) {
      for (const auto uplo : {lower, upper}) {
        for (const auto trans : {op_n, op_t, op_c}) {
          for (const T beta : {T(3), T(0)}) {
            CAPTURE(n);
            CAPTURE(k);
            CAPTURE(uplo);
            CAPTURE(trans);
            CAPTURE(beta);
            const int ld = n + 50;
            const Dense<T> a(n, k, 1);
            const Dense<T> b(n, k, 5);
            const Dense<T> c = symmetric<T>(n, n, 3);
            const Array<T> a_there(stored(op(a, trans), ld));
            const Array<T> b_there(stored(op(b, trans), ld));
            const std::vector<T> old = stored(one_triangle(before(beta, c), uplo), ld);
            const auto check = [&](const Array<T>& result, const Dense<T>& expected) {
              CHECK(agree(result.numbers(), stored(one_triangle(expected, uplo), ld)));
            };
            const Array<T> rank_k(old);
            CHECK(of<T>(cublasSsyrk, cublasDsyrk)(handle, uplo, trans, n, k, &alpha, a_there.get(),
                                                  ld, &beta, rank_k.get(), ld) == success);
            check(rank_k, product(alpha, a, op(a, op_t), beta, c));
            const Array<T> rank_2k(old);
            CHECK(of<T>(cublasSsyr2k, cublasDsyr2k)(handle, uplo, trans, n, k, &alpha,
                                                    a_there.get(), ld, b_there.get(), ld, &beta,
                                                    rank_2k.get(), ld) == success);
            check(rank_2k,
                  product(alpha, a, op(b, op_t), T(1), product(alpha, b, op(a, op_t), beta, c)));
            const Array<T> extended(old);
            CHECK(of<T>(cublasSsyrkx, cublasDsyrkx)(handle, uplo, trans, n, k, &alpha,
                                                    a_there.get(), ld, b_there.get(), ld, &beta,
                                                    extended.get(), ld) == success);
            check(extended, product(alpha, a, op(b, op_t), beta, c));
          }
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("cublas: trmm, in place and not, and trsm, which undoes it", T, float, double) {
  const Handle handle;
  const T alpha = 2;
  const T a_half = T(0.5);
  for (const Shape& shape : shapes) {
    const int m = shape.m;
    const int n = shape.n;
    for (const auto side : {left, right}) {
      for (const auto uplo : {lower, upper}) {
        for (const auto diag : {unit, non_unit}) {
          for (const auto trans : {op_n, op_t, op_c}) {
            CAPTURE(m);
            CAPTURE(side);
            CAPTURE(uplo);
            CAPTURE(diag);
            CAPTURE(trans);
            const int order = side == left ? m : n;
            const Dense<T> a = triangular<T>(order, order, uplo, diag);
            const Dense<T> b(m, n, 2);
            const Array<T> a_there(stored(one_triangle(a, uplo, diag), order + 1));
            const Array<T> b_there(stored(b, m + 2));
            const Array<T> c_there(
                std::vector<T>(static_cast<std::size_t>((m + 2) * n), nothing<T>));
            const auto expected = stored(side == left ? product(alpha, op(a, trans), b, T(0), b)
                                                      : product(alpha, b, op(a, trans), T(0), b),
                                         m + 2);
            const auto trmm = of<T>(cublasStrmm, cublasDtrmm);
            CHECK(trmm(handle, side, uplo, trans, diag, m, n, &alpha, a_there.get(), order + 1,
                       b_there.get(), m + 2, c_there.get(), m + 2) == success);
            CHECK(agree(c_there.numbers(), expected));
            CHECK(agree(b_there.numbers(), stored(b, m + 2)));
            CHECK(trmm(handle, side, uplo, trans, diag, m, n, &alpha, a_there.get(), order + 1,
                       b_there.get(), m + 2, b_there.get(), m + 2) == success);
            CHECK(agree(b_there.numbers(), expected));
            CHECK(of<T>(cublasStrsm, cublasDtrsm)(handle, side, uplo, trans, diag, m, n, &a_half,
                                                  a_there.get(), order + 1, b_there.get(),
                                                  m + 2) == success);
            CHECK(agree(b_there.numbers(), stored(b, m + 2), 1e-5));
          }
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("cublas: trttp and tpttr", T, float, double) {
  const Handle handle;
  const Array<T> full({1, 2, 3, 4, 5, 6, 7, 8, 9});
  for (const bool is_upper : {false, true}) {
    const cublasFillMode_t uplo = is_upper ? upper : CUBLAS_FILL_MODE_LOWER;
    const Array<T> packed({0, 0, 0, 0, 0, 0});
    const Array<T> back({0, 0, 0, 0, 0, 0, 0, 0, 0});
    CHECK(of<T>(cublasStrttp, cublasDtrttp)(handle, uplo, 3, full.get(), 3, packed.get()) ==
          success);
    CHECK(agree(packed.numbers(),
                is_upper ? std::vector<T>{1, 4, 5, 7, 8, 9} : std::vector<T>{1, 2, 3, 5, 6, 9}));
    CHECK(of<T>(cublasStpttr, cublasDtpttr)(handle, uplo, 3, packed.get(), back.get(), 3) ==
          success);
    CHECK(agree(back.numbers(), is_upper ? std::vector<T>{1, 0, 0, 4, 5, 0, 7, 8, 9}
                                         : std::vector<T>{1, 2, 3, 0, 5, 6, 0, 0, 9}));
  }
  CHECK(of<T>(cublasStrttp, cublasDtrttp)(handle, upper, 3, full.get(), 2, full.get()) ==
        CUBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE_TEMPLATE("cublas: dgmm", T, float, double) {
  const Handle handle;
  for (const Shape& shape : shapes) {
    const int m = shape.m;
    const int n = shape.n;
    for (const auto mode : {left, right}) {
      for (const int incx : {1, -2}) {
        CAPTURE(m);
        CAPTURE(mode);
        CAPTURE(incx);
        const Dense<T> a(m, n, 1);
        const Dense<T> x(mode == left ? m : n, 1, 2);
        const Array<T> a_there(stored(a, m + 1));
        const Array<T> x_there(spread(x, incx));
        CHECK(of<T>(cublasSdgmm, cublasDdgmm)(handle, mode, m, n, a_there.get(), m + 1,
                                              x_there.get(), incx, a_there.get(),
                                              m + 1) == success);
        const auto expected = dense<T>(
            a.rows, a.columns, [&](int i, int j) { return a(i, j) * x(mode == left ? i : j); });
        CHECK(agree(a_there.numbers(), stored(expected, m + 1)));
      }
    }
  }
}

TEST_CASE("cublas: functions on matrices refuse what makes no sense, for both types") {
  const Handle handle;
  const Array<double> numbers({1, 2, 3, 4, 5, 6});
  double* const d = numbers.get();
  double* const e = d + 3;
  const double one_of_it = 1;
  const double* const f = &one_of_it;
  const auto no_side = static_cast<cublasSideMode_t>(7);
  const auto no_fill = static_cast<cublasFillMode_t>(7);
  CHECK(cublasDsymm(handle, no_side, upper, 1, 1, f, d, 1, d, 1, f, e, 1) == invalid);
  CHECK(cublasDsymm(handle, left, no_fill, 1, 1, f, d, 1, d, 1, f, e, 1) == invalid);
  CHECK(cublasDsymm(handle, left, upper, 2, 1, f, d, 1, d, 2, f, e, 2) == invalid);
  CHECK(cublasDsymm(handle, right, upper, 1, 2, f, d, 1, d, 1, f, e, 1) == invalid);
  CHECK(cublasDsymm(handle, left, upper, 2, 1, f, d, 2, d, 1, f, e, 2) == invalid);
  CHECK(cublasDsymm(handle, left, upper, 0, 1, f, d, 1, d, 1, f, e, 1) == success);
  CHECK(cublasDsyrk(handle, upper, op_n, 2, 1, f, d, 1, f, e, 2) == invalid);
  CHECK(cublasDsyrk(handle, upper, op_t, 1, 2, f, d, 1, f, e, 1) == invalid);
  CHECK(cublasDsyrk(handle, upper, op_n, 2, 1, f, d, 2, f, e, 1) == invalid);
  CHECK(cublasDsyrk(handle, upper, op_n, 1, -1, f, d, 2, f, e, 1) == invalid);
  CHECK(cublasDsyr2k(handle, upper, op_n, 2, 1, f, d, 2, d, 1, f, e, 2) == invalid);
  CHECK(cublasDtrsm(handle, left, upper, op_n, unit, -1, 1, f, d, 1, e, 1) == invalid);
  CHECK(cublasDtrsm(handle, left, upper, op_n, unit, 2, 1, f, d, 1, e, 2) == invalid);
  CHECK(cublasDtrsm(handle, left, upper, op_n, unit, 2, 1, f, d, 2, e, 1) == invalid);
  CHECK(cublasDdgmm(handle, no_side, 1, 1, d, 1, d, 1, e, 1) == invalid);
  CHECK(cublasDdgmm(handle, left, 2, 1, d, 1, d, 1, e, 2) == invalid);
  CHECK(cublasDtrsm(nullptr, left, upper, op_n, unit, 1, 1, f, d, 1, e, 1) == no_handle);
  CHECK(agree(numbers.numbers(), {1, 2, 3, 4, 5, 6}));
}
