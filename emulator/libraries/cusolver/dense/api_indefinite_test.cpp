// Factors of symmetric matrices that need not be positive, and what is solved by them.

#include "libraries/cusolver/api_test.hpp"

namespace solver {
SOLVER_WITH_SIZE(sytrf)
}  // namespace solver
using namespace solver;

namespace {

constexpr auto lower = CUBLAS_FILL_MODE_LOWER;

/// Not Hermitian if its numbers are complex.
template <class T>
Whole<T> symmetric(int n, unsigned seed, T diagonal) {
  Whole<T> a = random_whole<T>(n, n, seed);
  for (int j = 0; j < n; ++j) {
    a(j, j) = j % 3 == 2 ? a(j, j) : diagonal;
    for (int i = 0; i < j; ++i) a(i, j) = a(j, i);
  }
  return a;
}
/// One that needs no pivots, with a diagonal of both signs.
template <class T>
Whole<T> dominant(int n, unsigned seed) {
  Whole<T> a = symmetric<T>(n, seed, T(0));
  for (int i = 0; i < n; ++i) a(i, i) = T(static_cast<float>(i % 2 == 0 ? 4 * n : -4 * n));
  return a;
}

template <class T>
struct Factors {
  cublasFillMode_t uplo;
  OnDevice<T> a;
  Info pivots;
  bool has_pivots;

  Factors(const Handle& handle, const Whole<T>& whole, cublasFillMode_t of, bool with_pivots,
          int expected = 0)
      : uplo(of),
        a(one_triangle(whole, of == CUBLAS_FILL_MODE_UPPER)),
        pivots(whole.rows),
        has_pivots(with_pivots) {
    const Info info;
    int size = -1;
    SUCCEEDS(sytrf_bufferSize<T>(handle, a.rows, a.get(), a.ld, &size));
    const Space<T> space(size);
    SUCCEEDS(sytrf<T>(handle, uplo, a.rows, a.get(), a.ld, pivots_or_null(), space, size, info));
    CHECK(info.value() == expected);
  }
  int* pivots_or_null() const { return has_pivots ? static_cast<int*>(pivots) : nullptr; }
  bool is_upper() const { return uplo == CUBLAS_FILL_MODE_UPPER; }
  /// The block of D with this number, of LAPACK's order, from the end on.
  bool is_of_two(int k) const { return has_pivots && pivots.value(k) < 0; }

  /// L D L^T or U D U^T, with exchanges between the factors; without pivots U^T D U.
  Whole<T> product() const {
    const int n = a.rows;
    const bool turns = is_upper() && has_pivots;
    const Whole<T> factors = is_upper() && !turns ? transposed(a.whole()) : a.whole();
    const std::vector<int> numbers = pivots.values.numbers();
    const int step = turns ? -1 : 1;
    std::vector<int> begins;  // of blocks, in the order in which they were found
    for (int k = turns ? n - 1 : 0; k >= 0 && k < n; k += step) {
      begins.push_back(k);
      if (is_of_two(k)) k += step;
    }
    Whole<T> result(n, n);
    std::reverse(begins.begin(), begins.end());
    for (const int k : begins) {
      const int last = is_of_two(k) ? k + step : k;
      result(k, k) = factors(k, k);
      if (last != k) {
        result(last, last) = factors(last, last);
        result(k, last) = result(last, k) = factors(last, k);
      }
      for (int column = k; column != last + step; column += step) {
        for (int i = last + step; i >= 0 && i < n; i += step) {
          for (int j = 0; j < n; ++j) result(i, j) += factors(i, column) * result(column, j);
        }
      }
      for (int column = k; column != last + step; column += step) {
        for (int i = last + step; i >= 0 && i < n; i += step) {
          for (int j = 0; j < n; ++j) result(j, i) += factors(i, column) * result(j, column);
        }
      }
      if (!has_pivots) continue;
      const int other = std::abs(numbers[static_cast<std::size_t>(last)]) - 1;
      REQUIRE(other >= 0);
      REQUIRE(other < n);
      for (int j = 0; j < n; ++j) std::swap(result(last, j), result(other, j));
      for (int j = 0; j < n; ++j) std::swap(result(j, last), result(j, other));
    }
    return result;
  }

  Whole<T> solve(const Handle& handle, const Whole<T>& sides) const {
    const OnDevice<T> b(sides);
    const std::vector<int> numbers = pivots.values.numbers();
    const Array<std::int64_t> wide(std::vector<std::int64_t>(numbers.begin(), numbers.end()));
    const Info info;
    Spaces spaces;
    constexpr auto type = type_of<T>;
    std::int64_t* const given = has_pivots ? wide.get() : nullptr;
    SUCCEEDS(cusolverDnXsytrs_bufferSize(handle, uplo, a.rows, b.columns, type, a.get(), a.ld,
                                         given, type, b.get(), b.ld, &spaces.on_device,
                                         &spaces.on_host));
    spaces.make();
    SUCCEEDS(cusolverDnXsytrs(handle, uplo, a.rows, b.columns, type, a.get(), a.ld, given, type,
                              b.get(), b.ld, spaces.device, spaces.on_device, spaces.host.data(),
                              spaces.on_host, info));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(info.value() == 0);
    return b.whole();
  }
};

}  // namespace

TEST_CASE("cuSOLVER: a symmetric matrix is L D L^T or U D U^T, with pivots or without") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int n : {1, 2, 3, 4, 7, 33}) {
      for (const cublasFillMode_t uplo : both_triangles) {
        const Whole<T> whole = symmetric<T>(n, 800, T(n == 1));
        const Factors<T> factors(handle, whole, uplo, true);
        CHECK(are_near(factors.product(), whole));
        CHECK(factors.a.whole().elements ==
              one_triangle(factors.a.whole(), factors.is_upper()).elements);
        const auto pivots = factors.pivots.values.numbers();
        const auto negative =
            std::count_if(pivots.begin(), pivots.end(), [](int pivot) { return pivot < 0; });
        if (n == 2 || n > 3) CHECK(negative > 0);  // the diagonal begins with zeros, or ends so
        const Whole<T> other = dominant<T>(n, 801);
        CHECK(are_near(Factors<T>(handle, other, uplo, false).product(), other));
      }
    }
    Whole<T> small(2, 2);
    small.elements = {T(1), T(4), T(4), T(2)};
    for (const cublasFillMode_t uplo : both_triangles) {
      const Factors<T> factors(handle, small, uplo, false);  // pivots would exchange
      CHECK(are_near(factors.product(), small));
      CHECK(are_near(factors.solve(handle, small), identity<T>(2)));
    }
  });
}

TEST_CASE("cuSOLVER: equations with a symmetric matrix") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int n : {1, 2, 5, 20}) {
      for (const cublasFillMode_t uplo : both_triangles) {
        for (const bool with_pivots : {true, false}) {
          const Whole<T> whole =
              with_pivots ? symmetric<T>(n, 810, T(n == 1)) : dominant<T>(n, 811);
          const Factors<T> factors(handle, whole, uplo, with_pivots);
          const Whole<T> x = random_whole<T>(n, 3, 812);
          CHECK(are_near(whole * factors.solve(handle, whole * x), whole * x, 1000));
        }
      }
    }
  });
}

TEST_CASE("cuSOLVER: the first element of D's diagonal that is 0") {
  const Handle handle;
  Whole<double> whole(4, 4);
  whole.elements = {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3};
  const Factors<double> first(handle, whole, lower, true, 2);
  const Factors<double> last(handle, whole, CUBLAS_FILL_MODE_UPPER, true, 3);
  // Without pivots what belongs to it is left out.
  whole.elements = {0, 1, 2, 3, 1, 5, 6, 7, 2, 6, 8, 9, 3, 7, 9, 10};
  Whole<double> rest = whole;
  for (int i = 0; i < 4; ++i) rest(i, 0) = rest(0, i) = 0;
  for (const cublasFillMode_t uplo : both_triangles) {
    const Factors<double> factors(handle, whole, uplo, false, 1);
    CHECK(are_near(factors.product(), rest));
    const Whole<double> left = factors.a.whole();
    for (int i = 0; i < 4; ++i) CHECK((factors.is_upper() ? left(0, i) : left(i, 0)) == 0);
  }
}

// Arguments are counted without the handle.
TEST_CASE("cuSOLVER: what is refused of a symmetric matrix, and what is not looked at") {
  const Handle handle;
  const OnDevice<double> a(symmetric<double>(4, 820, 1.0));
  const OnDevice<double> b(random_whole<double>(4, 1, 821));
  const Info pivots(4);
  const Info info;
  int size = 0;
  SUCCEEDS(cusolverDnDsytrf_bufferSize(handle, -1, a.get(), a.ld, &size));
  SUCCEEDS(cusolverDnDsytrf_bufferSize(handle, 4, a.get(), 3, &size));
  SUCCEEDS(cusolverDnDsytrf_bufferSize(handle, 4, a.get(), a.ld, &size));
  const Space<double> space(size);
  const auto told_of_factors = [&](cublasFillMode_t uplo, int n, int lda) {
    CHECK(cusolverDnDsytrf(handle, uplo, n, a.get(), lda, pivots, space, size, info) ==
          CUSOLVER_STATUS_INVALID_VALUE);
    return info.value();
  };
  CHECK(told_of_factors(CUBLAS_FILL_MODE_FULL, 4, a.ld) == -1);
  CHECK(told_of_factors(lower, -1, a.ld) == -2);
  CHECK(told_of_factors(lower, 4, 3) == -4);
  const Info other;
  SUCCEEDS(cusolverDnDsytrf(handle, lower, 0, a.get(), a.ld, pivots, space, size, other));
  CHECK(other.value() == -77);
  SUCCEEDS(cusolverDnDsytrf(handle, lower, 4, a.get(), a.ld, pivots, space, size - 1, other));
  CHECK(other.value() == 0);
  std::size_t bytes = 99;
  std::size_t on_host = 99;
  SUCCEEDS(cusolverDnXsytrs_bufferSize(handle, lower, -4, -1, CUDA_R_64F, a.get(), 3, nullptr,
                                       CUDA_R_32F, b.get(), 3, &bytes, &on_host));
  CHECK(bytes == 0);
  const auto solve = [&](int columns, int ldb, cudaDataType of_sides) {
    return cusolverDnXsytrs(handle, lower, 4, columns, CUDA_R_64F, a.get(), a.ld, nullptr, of_sides,
                            b.get(), ldb, nullptr, 0, nullptr, 0, info);
  };
  CHECK(solve(-1, b.ld, CUDA_R_64F) == CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(info.value() == -3);
  CHECK(solve(1, 3, CUDA_R_64F) == CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(info.value() == -10);
  CHECK(solve(1, b.ld, CUDA_R_32F) == CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}
