// Eigenvalues of symmetric and Hermitian matrices.

#include "libraries/cusolver/api_test.hpp"

namespace solver {
SOLVER_OF_TWO_WITH_SIZE(syevd, heevd)
SOLVER_OF_TWO_WITH_SIZE(syevdx, heevdx)
SOLVER_OF_TWO_WITH_SIZE(sygvd, hegvd)
SOLVER_OF_TWO_WITH_SIZE(sygvdx, hegvdx)
SOLVER_OF_TWO_WITH_SIZE(syevj, heevj)
SOLVER_OF_TWO_WITH_SIZE(syevjBatched, heevjBatched)
SOLVER_OF_TWO_WITH_SIZE(sygvj, hegvj)
}  // namespace solver
using namespace solver;

namespace {

constexpr auto with_vectors = CUSOLVER_EIG_MODE_VECTOR;
constexpr auto without = CUSOLVER_EIG_MODE_NOVECTOR;

using Params = libraries::Owned<syevjInfo_t, cusolverDnCreateSyevjInfo, cusolverDnDestroySyevjInfo>;

template <class T>
std::vector<Real<T>> eigenvalues(const Handle& handle, cusolverEigMode_t mode,
                                 cublasFillMode_t uplo, const OnDevice<T>& a) {
  const Vector<Real<T>> w(a.rows);
  const Info info;
  int size = -1;
  SUCCEEDS(syevd_bufferSize<T>(handle, mode, uplo, a.rows, a.get(), a.ld, w.get(), &size));
  const Space<T> space(size);
  SUCCEEDS(syevd<T>(handle, mode, uplo, a.rows, a.get(), a.ld, w.get(), space, size, info));
  CHECK(info.value() == 0);
  return w.numbers();
}
template <class R>
Whole<R> as_column(const std::vector<R>& numbers) {
  Whole<R> result(static_cast<int>(numbers.size()), 1);
  result.elements = numbers;
  return result;
}
// B = L L^H, and the eigenvalues of A x = w B x and the like as what they mean.
template <class T>
void check_pair(cusolverEigType_t type, const Whole<T>& a, const Whole<T>& b, const Whole<T>& x,
                const std::vector<Real<T>>& w) {
  const bool first = type == CUSOLVER_EIG_TYPE_1;
  const Whole<T> left = first ? a * x : type == CUSOLVER_EIG_TYPE_2 ? a * (b * x) : b * (a * x);
  CHECK(are_near(left, scaled(first ? b * x : x, w), 5000));
}

}  // namespace

TEST_CASE("cuSOLVER: eigenvalues ascend, and belong to their vectors") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int n : sizes) {
      const Whole<T> whole = hermitian<T>(n, 110);
      for (const cublasFillMode_t uplo : both_triangles) {
        const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
        const OnDevice<T> a(one_triangle(whole, upper));
        const auto w = eigenvalues(handle, with_vectors, uplo, a);
        CHECK(std::is_sorted(w.begin(), w.end()));
        const Whole<T> v = a.whole();
        CHECK(are_orthonormal(v));
        CHECK(are_near(scaled(v, w) * adjoint(v), whole));
        const auto alone =
            eigenvalues(handle, without, uplo, OnDevice<T>(one_triangle(whole, upper)));
        CHECK(are_near(as_column(alone), as_column(w)));
      }
    }
  });
}

TEST_CASE("cuSOLVER: equal eigenvalues, and a matrix of zeros") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    Whole<T> ones(9, 9);
    for (T& element : ones.elements) element = 1;
    for (const Whole<T>& whole : {ones, identity<T>(9), Whole<T>(9, 9)}) {
      const OnDevice<T> a(whole);
      const auto w = eigenvalues(handle, with_vectors, CUBLAS_FILL_MODE_LOWER, a);
      CHECK(are_orthonormal(a.whole()));
      CHECK(are_near(scaled(a.whole(), w) * adjoint(a.whole()), whole));
    }
  });
}

TEST_CASE("cuSOLVER: eigenvalues of a range") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    constexpr int n = 20;
    const Whole<T> whole = hermitian<T>(n, 120);
    const auto all = eigenvalues(handle, without, CUBLAS_FILL_MODE_UPPER, OnDevice<T>(whole));
    const R low = (all[4] + all[5]) / 2;
    const R high = (all[9] + all[10]) / 2;
    for (const cusolverEigRange_t range : {CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V}) {
      const OnDevice<T> a(whole);
      const Vector<R> w(n);
      const Info info;
      int size = -1;
      int found = -1;
      SUCCEEDS(syevdx_bufferSize<T>(handle, with_vectors, range, CUBLAS_FILL_MODE_UPPER, n, a.get(),
                                    a.ld, low, high, 6, 10, &found, w.get(), &size));
      const Space<T> space(size);
      SUCCEEDS(syevdx<T>(handle, with_vectors, range, CUBLAS_FILL_MODE_UPPER, n, a.get(), a.ld, low,
                         high, 6, 10, &found, w.get(), space, size, info));
      CHECK(info.value() == 0);
      REQUIRE(found == 5);
      std::vector<R> some = w.numbers();
      some.resize(5);
      CHECK(
          are_near(as_column(some), as_column(std::vector<R>(all.begin() + 5, all.begin() + 10))));
      const Whole<T> v = first_columns(a.whole(), 5);
      CHECK(are_near(whole * v, scaled(v, some)));
    }
  });
}

TEST_CASE("cuSOLVER: eigenvalues of pairs of matrices, of three types") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    for (const int n : {1, 4, 21}) {
      const Whole<T> whole = hermitian<T>(n, 130);
      Whole<T> other = positive<T>(n, 131);
      for (int i = 0; i < n; ++i) other(i, i) += T(40);
      for (const auto type : {CUSOLVER_EIG_TYPE_1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3}) {
        for (const cublasFillMode_t uplo : both_triangles) {
          const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
          const Info info;
          const Vector<R> w(n);
          const Params params;
          for (const bool rotates : {false, true}) {
            const OnDevice<T> a(one_triangle(whole, upper));
            const OnDevice<T> b(one_triangle(other, upper));
            int size = -1;
            if (rotates) {
              SUCCEEDS(sygvj_bufferSize<T>(handle, type, with_vectors, uplo, n, a.get(), a.ld,
                                           b.get(), b.ld, w.get(), &size, params));
              const Space<T> space(size);
              SUCCEEDS(sygvj<T>(handle, type, with_vectors, uplo, n, a.get(), a.ld, b.get(), b.ld,
                                w.get(), space, size, info, params));
            } else {
              SUCCEEDS(sygvd_bufferSize<T>(handle, type, with_vectors, uplo, n, a.get(), a.ld,
                                           b.get(), b.ld, w.get(), &size));
              const Space<T> space(size);
              SUCCEEDS(sygvd<T>(handle, type, with_vectors, uplo, n, a.get(), a.ld, b.get(), b.ld,
                                w.get(), space, size, info));
            }
            CHECK(info.value() == 0);
            check_pair(type, whole, other, a.whole(), w.numbers());
            const Whole<T> factor = one_triangle(b.whole(), upper, T(0));
            CHECK(are_near(upper ? adjoint(factor) * factor : factor * adjoint(factor), other));
          }
        }
      }
    }
  });
}

TEST_CASE("cuSOLVER: a pair whose B is not positive: info is n and the order of its minor") {
  const Handle handle;
  const OnDevice<double> a(hermitian<double>(5, 140));
  Whole<double> other = positive<double>(5, 141);
  other(2, 2) = -4;
  const OnDevice<double> b(other);
  const Vector<double> w(5);
  const Info info;
  int size = -1;
  SUCCEEDS(sygvd_bufferSize<double>(handle, CUSOLVER_EIG_TYPE_1, without, CUBLAS_FILL_MODE_LOWER, 5,
                                    a.get(), a.ld, b.get(), b.ld, w.get(), &size));
  const Space<double> space(size);
  SUCCEEDS(sygvd<double>(handle, CUSOLVER_EIG_TYPE_1, without, CUBLAS_FILL_MODE_LOWER, 5, a.get(),
                         a.ld, b.get(), b.ld, w.get(), space, size, info));
  CHECK(info.value() == 5 + 3);
}

TEST_CASE("cuSOLVER: eigenvalues by Jacobi's rotations") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    for (const int n : {1, 3, 33}) {
      const Whole<T> whole = hermitian<T>(n, 150);
      const OnDevice<T> a(one_triangle(whole, false));
      const Vector<R> w(n);
      const Info info;
      const Params params;
      int size = -1;
      SUCCEEDS(syevj_bufferSize<T>(handle, with_vectors, CUBLAS_FILL_MODE_LOWER, n, a.get(), a.ld,
                                   w.get(), &size, params));
      const Space<T> space(size);
      SUCCEEDS(syevj<T>(handle, with_vectors, CUBLAS_FILL_MODE_LOWER, n, a.get(), a.ld, w.get(),
                        space, size, info, params));
      CHECK(info.value() == 0);
      const auto values = w.numbers();
      CHECK(std::is_sorted(values.begin(), values.end()));
      CHECK(are_orthonormal(a.whole()));
      CHECK(are_near(scaled(a.whole(), values) * adjoint(a.whole()), whole));
      int sweeps = -1;
      double residual = -1;
      SUCCEEDS(cusolverDnXsyevjGetSweeps(handle, params, &sweeps));
      SUCCEEDS(cusolverDnXsyevjGetResidual(handle, params, &residual));
      CHECK(sweeps >= 0);
      CHECK(sweeps < 20);
      CHECK(residual >= 0);
      CHECK(residual < 100 * epsilon<T> * (size_of(whole) + 1));
    }
  });
}

TEST_CASE("cuSOLVER: too few sweeps, and sweeps that need no order") {
  const Handle handle;
  const Whole<double> whole = hermitian<double>(40, 160);
  const OnDevice<double> a(whole);
  const Vector<double> w(40);
  const Info info;
  const Params params;
  SUCCEEDS(cusolverDnXsyevjSetMaxSweeps(params, 1));
  SUCCEEDS(cusolverDnXsyevjSetTolerance(params, 1e-12));
  SUCCEEDS(cusolverDnXsyevjSetSortEig(params, 0));
  int size = -1;
  SUCCEEDS(cusolverDnDsyevj_bufferSize(handle, without, CUBLAS_FILL_MODE_LOWER, 40, a.get(), a.ld,
                                       w.get(), &size, params));
  const Space<double> space(size);
  SUCCEEDS(cusolverDnDsyevj(handle, without, CUBLAS_FILL_MODE_LOWER, 40, a.get(), a.ld, w.get(),
                            space, size, info, params));
  CHECK(info.value() == 41);
}

TEST_CASE("cuSOLVER: eigenvalues of many small matrices by Jacobi's rotations") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    constexpr int n = 6;
    constexpr int count = 3;
    Whole<T> together(n, n * count);
    std::vector<Whole<T>> wholes;
    for (int k = 0; k < count; ++k) {
      wholes.push_back(hermitian<T>(n, 170U + static_cast<unsigned>(k)));
      std::copy(wholes.back().elements.begin(), wholes.back().elements.end(),
                together.elements.begin() + k * n * n);
    }
    const OnDevice<T> a(together);
    const Vector<R> w(n * count);
    const Info info(count);
    const Params params;
    int size = -1;
    SUCCEEDS(syevjBatched_bufferSize<T>(handle, with_vectors, CUBLAS_FILL_MODE_UPPER, n, a.get(),
                                        a.ld, w.get(), &size, params, count));
    const Space<T> space(size);
    SUCCEEDS(syevjBatched<T>(handle, with_vectors, CUBLAS_FILL_MODE_UPPER, n, a.get(), a.ld,
                             w.get(), space, size, info, params, count));
    const Whole<T> all = a.whole();
    const auto values = w.numbers();
    for (int k = 0; k < count; ++k) {
      CHECK(info.value(k) == 0);
      Whole<T> v(n, n);
      std::copy_n(all.elements.begin() + k * n * n, n * n, v.elements.begin());
      const std::vector<R> own(values.begin() + k * n, values.begin() + (k + 1) * n);
      CHECK(are_near(scaled(v, own) * adjoint(v), wholes[static_cast<std::size_t>(k)]));
    }
    int sweeps = -1;
    CHECK(cusolverDnXsyevjGetSweeps(handle, params, &sweeps) == CUSOLVER_STATUS_NOT_SUPPORTED);
  });
}
