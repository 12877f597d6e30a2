// Singular values.

#include "libraries/cusolver/api_test.hpp"

namespace solver {
SOLVER_WITH_SIZE(gesvd)
SOLVER_WITH_SIZE(gesvdj)
SOLVER_WITH_SIZE(gesvdjBatched)
SOLVER_WITH_SIZE(gesvdaStridedBatched)
}  // namespace solver
using namespace solver;

namespace {

using Params =
    libraries::Owned<gesvdjInfo_t, cusolverDnCreateGesvdjInfo, cusolverDnDestroyGesvdjInfo>;

template <class T>
bool is_product(const Whole<T>& u, const std::vector<Real<T>>& s, const Whole<T>& v,
                const Whole<T>& whole) {
  const int count = static_cast<int>(s.size());
  return std::is_sorted(s.rbegin(), s.rend()) && s.back() >= 0 && are_orthonormal(u) &&
         are_orthonormal(v) &&
         are_near(scaled(first_columns(u, count), s) * adjoint(first_columns(v, count)), whole);
}
// The sum of `rank` products of a column and a row.
template <class T>
Whole<T> of_rank(int m, int n, int rank, unsigned seed) {
  return random_whole<T>(m, rank, seed) * random_whole<T>(rank, n, seed + 1);
}

}  // namespace

TEST_CASE("cuSOLVER: gesvd: U S V^H is the matrix, with all vectors, the first ones, and none") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    const int shapes[][2] = {{1, 1}, {3, 2}, {9, 9}, {40, 17}};
    for (const auto& [m, n] : shapes) {
      const Whole<T> whole = random_whole<T>(m, n, 200);
      std::vector<R> expected;
      for (const char job : {'A', 'S', 'N'}) {
        const OnDevice<T> a(whole);
        const OnDevice<T> u(Whole<T>(m, job == 'A' ? m : n));
        const OnDevice<T> vt(Whole<T>(n, n));
        const Vector<R> s(n);
        const Info info;
        int size = -1;
        SUCCEEDS(gesvd_bufferSize<T>(handle, m, n, &size));
        const Space<T> space(size);
        const Vector<R> rwork(5 * n);
        const auto letter = static_cast<signed char>(job);
        SUCCEEDS(gesvd<T>(handle, letter, letter, m, n, a.get(), a.ld, s.get(), u.get(), u.ld,
                          vt.get(), vt.ld, space, size, rwork.get(), info));
        CHECK(info.value() == 0);
        if (job == 'N') {
          const std::vector<R> alone = s.numbers();
          for (std::size_t i = 0; i < alone.size(); ++i) {
            CHECK(std::abs(alone[i] - expected[i]) <= 1000 * epsilon<T> * (expected[0] + 1));
          }
        } else {
          CHECK(is_product(u.whole(), s.numbers(), adjoint(vt.whole()), whole));
          expected = s.numbers();
        }
      }
    }
  });
}

TEST_CASE("cuSOLVER: gesvd writes vectors over the matrix") {
  const Handle handle;
  const Whole<double> whole = random_whole<double>(11, 6, 210);
  const OnDevice<double> a(whole);
  const OnDevice<double> vt(Whole<double>(6, 6));
  const Vector<double> s(6);
  const Info info;
  int size = -1;
  SUCCEEDS(gesvd_bufferSize<double>(handle, 11, 6, &size));
  const Space<double> space(size);
  SUCCEEDS(gesvd<double>(handle, 'O', 'A', 11, 6, a.get(), a.ld, s.get(), nullptr, 11, vt.get(),
                         vt.ld, space, size, nullptr, info));
  CHECK(info.value() == 0);
  CHECK(is_product(a.whole(), s.numbers(), adjoint(vt.whole()), whole));
}

TEST_CASE("cuSOLVER: gesvdj, for flat and tall matrices of any rank") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    const int shapes[][3] = {{1, 1, 1}, {5, 5, 5}, {12, 7, 7}, {7, 12, 7}, {20, 20, 3}, {9, 4, 1}};
    for (const auto& [m, n, rank] : shapes) {
      const int least = std::min(m, n);
      const Whole<T> whole = of_rank<T>(m, n, rank, 220);
      for (const bool econ : {false, true}) {
        const OnDevice<T> a(whole);
        const OnDevice<T> u(Whole<T>(m, econ ? least : m));
        const OnDevice<T> v(Whole<T>(n, econ ? least : n));
        const Vector<R> s(least);
        const Info info;
        const Params params;
        int size = -1;
        SUCCEEDS(gesvdj_bufferSize<T>(handle, CUSOLVER_EIG_MODE_VECTOR, econ, m, n, a.get(), a.ld,
                                      s.get(), u.get(), u.ld, v.get(), v.ld, &size, params));
        const Space<T> space(size);
        SUCCEEDS(gesvdj<T>(handle, CUSOLVER_EIG_MODE_VECTOR, econ, m, n, a.get(), a.ld, s.get(),
                           u.get(), u.ld, v.get(), v.ld, space, size, info, params));
        CHECK(info.value() == 0);
        CHECK(is_product(u.whole(), s.numbers(), v.whole(), whole));
        double residual = -1;
        int sweeps = -1;
        SUCCEEDS(cusolverDnXgesvdjGetResidual(handle, params, &residual));
        SUCCEEDS(cusolverDnXgesvdjGetSweeps(handle, params, &sweeps));
        CHECK(residual >= 0);
        CHECK(residual < 1000 * epsilon<T> * (size_of(whole) + 1));
        CHECK(sweeps >= 0);
      }
    }
  });
}

TEST_CASE("cuSOLVER: gesvdj of many small matrices") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    constexpr int m = 7;
    constexpr int n = 5;
    constexpr int count = 3;
    const Whole<T> together = random_whole<T>(m, n * count, 230);
    const OnDevice<T> a(together);
    const OnDevice<T> u(Whole<T>(m, m * count));
    const OnDevice<T> v(Whole<T>(n, n * count));
    const Vector<R> s(n * count);
    const Info info(count);
    const Params params;
    int size = -1;
    SUCCEEDS(gesvdjBatched_bufferSize<T>(handle, CUSOLVER_EIG_MODE_VECTOR, m, n, a.get(), a.ld,
                                         s.get(), u.get(), u.ld, v.get(), v.ld, &size, params,
                                         count));
    const Space<T> space(size);
    SUCCEEDS(gesvdjBatched<T>(handle, CUSOLVER_EIG_MODE_VECTOR, m, n, a.get(), a.ld, s.get(),
                              u.get(), u.ld, v.get(), v.ld, space, size, info, params, count));
    const auto part = [](const Whole<T>& all, int columns, int k) {
      Whole<T> result(all.rows, columns);
      const auto length = static_cast<std::ptrdiff_t>(result.elements.size());
      std::copy_n(all.elements.begin() + k * length, length, result.elements.begin());
      return result;
    };
    const auto values = s.numbers();
    for (int k = 0; k < count; ++k) {
      CHECK(info.value(k) == 0);
      CHECK(is_product(part(u.whole(), m, k),
                       std::vector<R>(values.begin() + k * n, values.begin() + (k + 1) * n),
                       part(v.whole(), n, k), part(together, n, k)));
    }
  });
}

TEST_CASE("cuSOLVER: the first singular values of matrices at a distance") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    constexpr int m = 30;
    constexpr int n = 8;
    constexpr int rank = 3;
    const Whole<T> first = of_rank<T>(m, n, rank, 240);
    const Whole<T> second = of_rank<T>(m, n, rank, 250);
    Whole<T> together(m, 2 * n);
    std::copy(first.elements.begin(), first.elements.end(), together.elements.begin());
    std::copy(second.elements.begin(), second.elements.end(), together.elements.begin() + m * n);
    const OnDevice<T> a(together);
    const OnDevice<T> u(Whole<T>(m, 2 * rank));
    const OnDevice<T> v(Whole<T>(n, 2 * rank));
    const Vector<R> s(2 * rank);
    const Info info(2);
    std::vector<double> left(2, -1);
    int size = -1;
    SUCCEEDS(gesvdaStridedBatched_bufferSize<T>(
        handle, CUSOLVER_EIG_MODE_VECTOR, rank, m, n, a.get(), a.ld, a.ld * n, s.get(), rank,
        u.get(), u.ld, u.ld * rank, v.get(), v.ld, v.ld * rank, &size, 2));
    const Space<T> space(size);
    SUCCEEDS(gesvdaStridedBatched<T>(handle, CUSOLVER_EIG_MODE_VECTOR, rank, m, n, a.get(), a.ld,
                                     a.ld * n, s.get(), rank, u.get(), u.ld, u.ld * rank, v.get(),
                                     v.ld, v.ld * rank, space, size, info, left.data(), 2));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(info.value(0) == 0);
    CHECK(info.value(1) == 0);
    const std::vector<R> values = s.numbers();
    const Whole<T> product =
        scaled(first_columns(u.whole(), rank), std::vector<R>(values.begin(), values.begin() + 3)) *
        adjoint(first_columns(v.whole(), rank));
    // By the squares of A, whose rounding is what single values lose.
    CHECK(are_near(product, first, 100000));
    CHECK(left[0] >= 0);
    CHECK(left[0] <= 0.01 * size_of(first));
  });
}
