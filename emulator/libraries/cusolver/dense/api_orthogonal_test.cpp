// Q and R, products with Q, and matrices of three diagonals.

#include "libraries/cusolver/api_test.hpp"

namespace solver {
SOLVER_WITH_SIZE(geqrf)
SOLVER_OF_TWO_WITH_SIZE(orgqr, ungqr)
SOLVER_OF_TWO_WITH_SIZE(ormqr, unmqr)
SOLVER_OF_TWO_WITH_SIZE(sytrd, hetrd)
SOLVER_OF_TWO_WITH_SIZE(orgtr, ungtr)
SOLVER_OF_TWO_WITH_SIZE(ormtr, unmtr)
SOLVER_WITH_SIZE(gebrd)
SOLVER_OF_TWO_WITH_SIZE(orgbr, ungbr)
}  // namespace solver
using namespace solver;

namespace {

template <class T>
void factorise(const Handle& handle, const OnDevice<T>& a, const Vector<T>& tau) {
  int size = -1;
  SUCCEEDS(geqrf_bufferSize<T>(handle, a.rows, a.columns, a.get(), a.ld, &size));
  const Space<T> space(size);
  const Info info;
  SUCCEEDS(geqrf<T>(handle, a.rows, a.columns, a.get(), a.ld, tau.get(), space, size, info));
  CHECK(info.value() == 0);
}
// All columns of Q, or the first ones.
template <class T>
Whole<T> q_of(const Handle& handle, const Whole<T>& factors, const Vector<T>& tau, int count,
              int reflections) {
  Whole<T> vectors(factors.rows, count);
  for (int j = 0; j < std::min(count, factors.columns); ++j) {
    for (int i = 0; i < factors.rows; ++i) vectors(i, j) = factors(i, j);
  }
  const OnDevice<T> q(vectors);
  int size = -1;
  SUCCEEDS(
      orgqr_bufferSize<T>(handle, q.rows, count, reflections, q.get(), q.ld, tau.get(), &size));
  const Space<T> space(size);
  const Info info;
  SUCCEEDS(
      orgqr<T>(handle, q.rows, count, reflections, q.get(), q.ld, tau.get(), space, size, info));
  CHECK(info.value() == 0);
  return q.whole();
}
// Q or P^H of a matrix with two diagonals, of the size of `vectors`.
template <class T>
Whole<T> of_bidiagonal(const Handle& handle, cublasSideMode_t side, const Whole<T>& vectors, int k,
                       const Vector<T>& tau) {
  const OnDevice<T> q(vectors);
  int size = -1;
  SUCCEEDS(
      orgbr_bufferSize<T>(handle, side, q.rows, q.columns, k, q.get(), q.ld, tau.get(), &size));
  const Space<T> space(size);
  const Info info;
  SUCCEEDS(
      orgbr<T>(handle, side, q.rows, q.columns, k, q.get(), q.ld, tau.get(), space, size, info));
  CHECK(info.value() == 0);
  return q.whole();
}
/// The corner of another size; what is not in `a` is 0.
template <class T>
Whole<T> corner(const Whole<T>& a, int m, int n, int i0 = 0, int j0 = 0) {
  Whole<T> result(m, n);
  for (int j = 0; j < std::min(n - j0, a.columns); ++j) {
    for (int i = 0; i < std::min(m - i0, a.rows); ++i) result(i0 + i, j0 + j) = a(i, j);
  }
  return result;
}
template <class T>
Whole<T> with_operation(const Whole<T>& a, cublasOperation_t operation) {
  return operation == CUBLAS_OP_N ? a : adjoint(a);
}

}  // namespace

TEST_CASE("cuSOLVER: Q R is the matrix, and Q is orthogonal") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int m : {1, 2, 9, 33, 50}) {
      for (const int n : {1, 3, 33}) {
        const int k = std::min(m, n);
        const Whole<T> whole = random_whole<T>(m, n, 80);
        const OnDevice<T> a(whole);
        const Vector<T> tau(k);
        factorise(handle, a, tau);
        const Whole<T> factors = a.whole();
        const Whole<T> q = q_of(handle, factors, tau, m, k);
        Whole<T> r(m, n);
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i <= std::min(j, m - 1); ++i) r(i, j) = factors(i, j);
        }
        CHECK(are_orthonormal(q));
        CHECK(are_near(q * r, whole));
        CHECK(are_near(q_of(handle, factors, tau, k, k), first_columns(q, k)));
      }
    }
  });
}

TEST_CASE("cuSOLVER: products with Q, from both sides") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    constexpr int m = 12;
    constexpr int k = 5;
    const OnDevice<T> a(random_whole<T>(m, k, 90));
    const Vector<T> tau(k);
    factorise(handle, a, tau);
    const Whole<T> q = q_of(handle, a.whole(), tau, m, k);
    for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
      for (const cublasOperation_t trans :
           {CUBLAS_OP_N, is_complex<T> ? CUBLAS_OP_C : CUBLAS_OP_T}) {
        const bool left = side == CUBLAS_SIDE_LEFT;
        const Whole<T> whole = random_whole<T>(left ? m : 7, left ? 7 : m, 91);
        const OnDevice<T> c(whole);
        int size = -1;
        SUCCEEDS(ormqr_bufferSize<T>(handle, side, trans, c.rows, c.columns, k, a.get(), a.ld,
                                     tau.get(), c.get(), c.ld, &size));
        const Space<T> space(size);
        const Info info;
        SUCCEEDS(ormqr<T>(handle, side, trans, c.rows, c.columns, k, a.get(), a.ld, tau.get(),
                          c.get(), c.ld, space, size, info));
        CHECK(info.value() == 0);
        const Whole<T> op = with_operation(q, trans);
        CHECK(are_near(c.whole(), left ? op * whole : whole * op));
      }
    }
  });
}

TEST_CASE("cuSOLVER: a Hermitian matrix is Q T Q^H, where T has three diagonals") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    for (const int n : {1, 2, 3, 12, 33}) {
      const Whole<T> whole = hermitian<T>(n, 100);
      for (const cublasFillMode_t uplo : both_triangles) {
        const OnDevice<T> a(one_triangle(whole, uplo == CUBLAS_FILL_MODE_UPPER));
        const Array<R> d(std::vector<R>(static_cast<std::size_t>(n)));
        const Array<R> e(std::vector<R>(static_cast<std::size_t>(n)));
        const Vector<T> tau(n);
        const Info info;
        int size = -1;
        SUCCEEDS(sytrd_bufferSize<T>(handle, uplo, n, a.get(), a.ld, d.get(), e.get(), tau.get(),
                                     &size));
        const Space<T> space(size);
        SUCCEEDS(sytrd<T>(handle, uplo, n, a.get(), a.ld, d.get(), e.get(), tau.get(), space, size,
                          info));
        CHECK(info.value() == 0);
        Whole<T> t(n, n);
        for (int i = 0; i < n; ++i) t(i, i) = d.numbers()[static_cast<std::size_t>(i)];
        for (int i = 0; i + 1 < n; ++i) {
          t(i, i + 1) = t(i + 1, i) = e.numbers()[static_cast<std::size_t>(i)];
        }
        // Q T, by a product from the left.
        const OnDevice<T> product(t);
        SUCCEEDS(ormtr_bufferSize<T>(handle, CUBLAS_SIDE_LEFT, uplo, CUBLAS_OP_N, n, n, a.get(),
                                     a.ld, tau.get(), product.get(), product.ld, &size));
        const Space<T> more(size);
        SUCCEEDS(ormtr<T>(handle, CUBLAS_SIDE_LEFT, uplo, CUBLAS_OP_N, n, n, a.get(), a.ld,
                          tau.get(), product.get(), product.ld, more, size, info));
        SUCCEEDS(orgtr_bufferSize<T>(handle, uplo, n, a.get(), a.ld, tau.get(), &size));
        const Space<T> for_q(size);
        SUCCEEDS(orgtr<T>(handle, uplo, n, a.get(), a.ld, tau.get(), for_q, size, info));
        CHECK(info.value() == 0);
        const Whole<T> q = a.whole(true);
        CHECK(are_orthonormal(q));
        CHECK(are_near(q * t * adjoint(q), whole));
        CHECK(are_near(product.whole(true), q * t));
      }
    }
  });
}

TEST_CASE("cuSOLVER: a matrix is Q B P^H, where B has two diagonals") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    for (const int n : {1, 2, 3, 20}) {
      for (const int m : {n, n + 1, n + 13}) {
        const Whole<T> whole = random_whole<T>(m, n, 120);
        const OnDevice<T> a(whole);
        const Array<R> d(std::vector<R>(static_cast<std::size_t>(n)));
        const Array<R> e(std::vector<R>(static_cast<std::size_t>(n)));
        const Vector<T> tau_q(n);
        const Vector<T> tau_p(n);
        const Info info;
        int size = -1;
        SUCCEEDS(gebrd_bufferSize<T>(handle, m, n, &size));
        const Space<T> space(size);
        SUCCEEDS(gebrd<T>(handle, m, n, a.get(), a.ld, d.get(), e.get(), tau_q.get(), tau_p.get(),
                          space, size, info));
        CHECK(info.value() == 0);
        Whole<T> b(m, n);
        for (int i = 0; i < n; ++i) b(i, i) = d.numbers()[static_cast<std::size_t>(i)];
        for (int i = 0; i + 1 < n; ++i) b(i, i + 1) = e.numbers()[static_cast<std::size_t>(i)];
        const Whole<T> factors = a.whole(true);
        const Whole<T> q = of_bidiagonal(handle, CUBLAS_SIDE_LEFT, corner(factors, m, m), n, tau_q);
        const Whole<T> p =
            of_bidiagonal(handle, CUBLAS_SIDE_RIGHT, corner(factors, n, n), m, tau_p);
        CHECK(are_orthonormal(q));
        CHECK(are_orthonormal(p));
        CHECK(are_near(q * b * p, whole));
        CHECK(are_near(of_bidiagonal(handle, CUBLAS_SIDE_LEFT, factors, n, tau_q),
                       first_columns(q, n)));
      }
    }
  });
}

// As a matrix of more columns than rows would have it, which cuSOLVER does not take.
TEST_CASE("cuSOLVER: Q of reflections that begin a row later, and P^H of some that do not") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    constexpr int n = 6;
    const OnDevice<T> a(random_whole<T>(n - 1, n - 1, 130));
    const Vector<T> tau(n);
    factorise(handle, a, tau);
    const Whole<T> factors = a.whole();
    const Whole<T> q = q_of(handle, factors, tau, n - 1, n - 1);
    Whole<T> expected = corner(q, n, n, 1, 1);
    expected(0, 0) = 1;
    CHECK(are_near(of_bidiagonal(handle, CUBLAS_SIDE_LEFT, corner(factors, n, n, 1, 0), n + 1, tau),
                   expected));
    CHECK(are_near(
        of_bidiagonal(handle, CUBLAS_SIDE_RIGHT, adjoint(first_columns(factors, 3)), 3, tau),
        adjoint(first_columns(q_of(handle, factors, tau, 3, 3), 3))));
  });
}

// Arguments are counted without the handle.
TEST_CASE("cuSOLVER: two diagonals that are refused, and what is not looked at") {
  const Handle handle;
  const OnDevice<double> a(random_whole<double>(4, 4, 121));
  const Vector<double> numbers(4);
  int size = 0;
  constexpr auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  CHECK(gebrd_bufferSize<double>(handle, -1, -1, &size) == invalid);
  SUCCEEDS(gebrd_bufferSize<double>(handle, 4, -1, &size));
  SUCCEEDS(orgbr_bufferSize<double>(handle, CUBLAS_SIDE_LEFT, 3, 4, -1, a.get(), 1, numbers.get(),
                                    &size));
  SUCCEEDS(orgbr_bufferSize<double>(handle, CUBLAS_SIDE_LEFT, 4, 4, 4, a.get(), a.ld, numbers.get(),
                                    &size));
  const Space<double> space(std::max(size, 10000));
  const auto told = [&](int m, int n, int lda, cusolverStatus_t expected, bool has_work = true) {
    const Info info;
    CHECK(cusolverDnDgebrd(handle, m, n, a.get(), lda, numbers.get(), numbers.get(), numbers.get(),
                           numbers.get(), has_work ? static_cast<double*>(space) : nullptr, 1000,
                           info) == expected);
    return info.value();
  };
  CHECK(told(-1, -1, a.ld, invalid) == -1);
  CHECK(told(4, -1, a.ld, invalid) == -2);
  CHECK(told(4, 3, 3, invalid) == -4);
  CHECK(told(3, 4, a.ld, CUSOLVER_STATUS_NOT_SUPPORTED) == 0);
  CHECK(told(4, 3, a.ld, invalid, false) == 0);
  const auto told_of_q = [&](cublasSideMode_t side, int m, int n, int k, int lda) {
    const Info info;
    CHECK(orgbr<double>(handle, side, m, n, k, a.get(), lda, numbers.get(), space, size, info) ==
          invalid);
    return info.value();
  };
  CHECK(told_of_q(static_cast<cublasSideMode_t>(7), 4, 4, 4, a.ld) == -1);
  CHECK(told_of_q(CUBLAS_SIDE_LEFT, 3, 4, 3, a.ld) == -3);
  CHECK(told_of_q(CUBLAS_SIDE_LEFT, 4, 2, 3, a.ld) == -3);
  CHECK(told_of_q(CUBLAS_SIDE_RIGHT, 4, 3, 4, a.ld) == -3);
  CHECK(told_of_q(CUBLAS_SIDE_LEFT, 4, 4, -1, a.ld) == -4);
  CHECK(told_of_q(CUBLAS_SIDE_LEFT, 4, 4, 4, 3) == -6);
}
