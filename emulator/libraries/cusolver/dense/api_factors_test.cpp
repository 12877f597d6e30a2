// Cholesky's and Gauss's factors, and what is solved by them.

#include "libraries/cusolver/api_test.hpp"

namespace solver {
SOLVER_WITH_SIZE(potrf)
SOLVER_OF_ALL(potrs)
SOLVER_WITH_SIZE(potri)
SOLVER_OF_ALL(potrfBatched)
SOLVER_OF_ALL(potrsBatched)
SOLVER_WITH_SIZE(getrf)
SOLVER_OF_ALL(getrs)
SOLVER_OF_ALL(laswp)
}  // namespace solver
using namespace solver;

namespace {

template <class T>
int factorise(const Handle& handle, cublasFillMode_t uplo, const OnDevice<T>& a) {
  int size = -1;
  SUCCEEDS(potrf_bufferSize<T>(handle, uplo, a.rows, a.get(), a.ld, &size));
  const Space<T> space(size);
  const Info info;
  SUCCEEDS(potrf<T>(handle, uplo, a.rows, a.get(), a.ld, space, size, info));
  return info.value();
}
template <class T>
int factorise_general(const Handle& handle, const OnDevice<T>& a, int* pivots) {
  int size = -1;
  SUCCEEDS(getrf_bufferSize<T>(handle, a.rows, a.columns, a.get(), a.ld, &size));
  const Space<T> space(size);
  const Info info;
  SUCCEEDS(getrf<T>(handle, a.rows, a.columns, a.get(), a.ld, space, pivots, info));
  return info.value();
}
// The product of L, with ones in its diagonal, and U.
template <class T>
Whole<T> product_of_factors(const Whole<T>& lu) {
  const int inner = std::min(lu.rows, lu.columns);
  Whole<T> l(lu.rows, inner);
  Whole<T> u(inner, lu.columns);
  for (int j = 0; j < lu.columns; ++j) {
    for (int i = 0; i < lu.rows; ++i) {
      if (i > j) l(i, j) = lu(i, j);
      if (i <= j) u(i, j) = lu(i, j);
    }
  }
  for (int i = 0; i < inner; ++i) l(i, i) = 1;
  return l * u;
}

}  // namespace

TEST_CASE("cuSOLVER: Cholesky's factor is that of its triangle, and the other one is left") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int n : sizes) {
      const Whole<T> whole = positive<T>(n, 10U + static_cast<unsigned>(n));
      for (const cublasFillMode_t uplo : both_triangles) {
        const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
        const OnDevice<T> a(one_triangle(whole, upper));
        CHECK(factorise(handle, uplo, a) == 0);
        const Whole<T> factor = one_triangle(a.whole(), upper, T(0));
        CHECK(are_near(upper ? adjoint(factor) * factor : factor * adjoint(factor), whole));
        const Whole<T> after = a.whole();
        CHECK(one_triangle(after, upper).elements == after.elements);
      }
    }
  });
}

TEST_CASE("cuSOLVER: Cholesky's info is the order of the first minor that is not positive") {
  const Handle handle;
  for (const cublasFillMode_t uplo : both_triangles) {
    for (const int bad : {0, 1, 5, 11}) {
      Whole<double> a = positive<double>(12, 3);
      a(bad, bad) = -1;
      CHECK(factorise(handle, uplo, OnDevice<double>(a)) == bad + 1);
    }
  }
}

TEST_CASE("cuSOLVER: Cholesky's factor solves, and inverts") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int n : {1, 5, 33}) {
      const Whole<T> whole = positive<T>(n, 20);
      const Whole<T> x = random_whole<T>(n, 3, 21);
      for (const cublasFillMode_t uplo : both_triangles) {
        const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
        const OnDevice<T> a(one_triangle(whole, upper));
        const OnDevice<T> b(whole * x);
        REQUIRE(factorise(handle, uplo, a) == 0);
        const Info info;
        SUCCEEDS(potrs<T>(handle, uplo, n, 3, a.get(), a.ld, b.get(), b.ld, info));
        CHECK(info.value() == 0);
        CHECK(are_near(whole * b.whole(), whole * x));
        int size = -1;
        SUCCEEDS(potri_bufferSize<T>(handle, uplo, n, a.get(), a.ld, &size));
        const Space<T> space(size);
        SUCCEEDS(potri<T>(handle, uplo, n, a.get(), a.ld, space, size, info));
        CHECK(info.value() == 0);
        Whole<T> inverse = a.whole();
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < n; ++i) {
            if (upper ? i > j : i < j) inverse(i, j) = conjugated(inverse(j, i));
          }
        }
        CHECK(are_near(inverse * whole, identity<T>(n), 10000));
      }
    }
  });
}

TEST_CASE("cuSOLVER: Cholesky's factors of many matrices, and their solutions") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    constexpr int n = 5;
    std::vector<Whole<T>> wholes;
    for (unsigned i = 0; i < 3; ++i) wholes.push_back(positive<T>(n, 30 + i));
    const Whole<T> x = random_whole<T>(n, 1, 33);
    Whole<T> bad = wholes[1];
    bad(2, 2) = -1;
    const OnDevice<T> a0(wholes[0]);
    const OnDevice<T> a1(bad);
    const OnDevice<T> a2(wholes[2]);
    const OnDevice<T> b0(wholes[0] * x);
    const OnDevice<T> b2(wholes[2] * x);
    const Array<Named<T>*> matrices({a0.get(), a1.get(), a2.get()});
    const Info info(3);
    SUCCEEDS(potrfBatched<T>(handle, CUBLAS_FILL_MODE_LOWER, n, matrices.get(), a0.ld, info, 3));
    CHECK(info.value(0) == 0);
    CHECK(info.value(1) == 3);
    CHECK(info.value(2) == 0);
    const Array<Named<T>*> factors({a0.get(), a2.get()});
    const Array<Named<T>*> sides({b0.get(), b2.get()});
    SUCCEEDS(potrsBatched<T>(handle, CUBLAS_FILL_MODE_LOWER, n, 1, factors.get(), a0.ld,
                             sides.get(), b0.ld, info, 2));
    CHECK(info.value() == 0);
    CHECK(are_near(b0.whole(), x, 1000));
    CHECK(are_near(b2.whole(), x, 1000));
  });
}

TEST_CASE("cuSOLVER: L and U with pivots, and without") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int m : {1, 2, 7, 33}) {
      for (const int n : {1, 3, 7, 40}) {
        const Whole<T> whole = random_whole<T>(m, n, 40);
        const OnDevice<T> a(whole);
        const Info pivots(std::min(m, n));
        CHECK(factorise_general(handle, a, pivots) == 0);
        Whole<T> exchanged = whole;
        for (int i = 0; i < std::min(m, n); ++i) {
          const int row = pivots.value(i) - 1;
          REQUIRE(row >= i);
          REQUIRE(row < m);
          for (int j = 0; j < n; ++j) std::swap(exchanged(i, j), exchanged(row, j));
        }
        CHECK(are_near(product_of_factors(a.whole()), exchanged));
        const Whole<T> factors = a.whole();
        for (int j = 0; j < std::min(m, n); ++j) {
          for (int i = j + 1; i < m; ++i) CHECK(std::abs(factors(i, j)) < 1.5);
        }
      }
    }
    Whole<T> solid = random_whole<T>(20, 20, 41);
    for (int i = 0; i < 20; ++i) solid(i, i) += T(60);
    const OnDevice<T> a(solid);
    CHECK(factorise_general<T>(handle, a, nullptr) == 0);
    CHECK(are_near(product_of_factors(a.whole()), solid));
  });
}

TEST_CASE("cuSOLVER: getrf's info is the first element of U's diagonal that is 0") {
  const Handle handle;
  Whole<double> a = random_whole<double>(6, 6, 50);
  for (int i = 0; i < 6; ++i) a(i, 3) = 0;
  const Info pivots(6);
  CHECK(factorise_general(handle, OnDevice<double>(a), pivots) == 4);
  Whole<double> first(2, 2);
  first(0, 1) = first(1, 0) = 1;
  CHECK(factorise_general<double>(handle, OnDevice<double>(first), nullptr) == 1);
  CHECK(factorise_general(handle, OnDevice<double>(first), pivots) == 0);
}

TEST_CASE("cuSOLVER: L and U solve with the matrix, its transpose and its adjoint") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int n : {1, 6, 33}) {
      Whole<T> whole = random_whole<T>(n, n, 60);
      for (int i = 0; i < n; ++i) whole(i, (i + 1) % n) += T(9);
      const Whole<T> x = random_whole<T>(n, 4, 61);
      const OnDevice<T> a(whole);
      const Info pivots(n);
      REQUIRE(factorise_general(handle, a, pivots) == 0);
      for (const cublasOperation_t trans : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
        const Whole<T> op = trans == CUBLAS_OP_N   ? whole
                            : trans == CUBLAS_OP_T ? transposed(whole)
                                                   : adjoint(whole);
        const OnDevice<T> b(op * x);
        const Info info;
        SUCCEEDS(getrs<T>(handle, trans, n, 4, a.get(), a.ld, pivots, b.get(), b.ld, info));
        CHECK(info.value() == 0);
        CHECK(are_near(op * b.whole(), op * x));
      }
    }
  });
}

TEST_CASE("cuSOLVER: laswp exchanges rows, forwards and backwards") {
  const Handle handle;
  const Whole<float> whole = random_whole<float>(5, 3, 70);
  const int rows[] = {3, 3, 5};
  const Array<int> pivots({rows[0], rows[1], rows[2]});
  const OnDevice<float> a(whole);
  SUCCEEDS(laswp<float>(handle, 3, a.get(), a.ld, 1, 3, pivots.get(), 1));
  Whole<float> expected = whole;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) std::swap(expected(i, j), expected(rows[i] - 1, j));
  }
  CHECK(a.whole().elements == expected.elements);
  SUCCEEDS(laswp<float>(handle, 3, a.get(), a.ld, 1, 3, pivots.get(), -1));
  CHECK(a.whole().elements == whole.elements);
  // Rows as an H200 leaves them.
  SUCCEEDS(laswp<float>(handle, 3, a.get(), a.ld, 2, 3, pivots.get(), 0));
  expected = whole;
  for (const int row : {2, 3}) {
    for (int j = 0; j < 3; ++j) std::swap(expected(row - 1, j), expected(rows[0] - 1, j));
  }
  CHECK(a.whole().elements == expected.elements);
}
