// Factors of symmetric matrices that need not be positive, and what is solved by them.

#include "cusolver/api_test.hpp"

namespace solver {
SOLVER_WITH_SIZE(sytrf)
SOLVER_WITH_SIZE(sytri)
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

  /// L D L^T or U D U^T, with exchanges between the factors.
  Whole<T> product() const {
    const int n = a.rows;
    const Whole<T> factors = a.whole();
    const std::vector<int> numbers = pivots.values.numbers();
    const int step = is_upper() ? -1 : 1;
    std::vector<int> begins;  // of blocks, in the order in which they were found
    for (int k = is_upper() ? n - 1 : 0; k >= 0 && k < n; k += step) {
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
  /// In the place of the factors.
  Whole<T> invert(const Handle& handle, int expected = 0) const {
    const Info info;
    int size = -1;
    SUCCEEDS(sytri_bufferSize<T>(handle, uplo, a.rows, a.get(), a.ld, pivots_or_null(), &size));
    const Space<T> space(size);
    SUCCEEDS(sytri<T>(handle, uplo, a.rows, a.get(), a.ld, pivots_or_null(), space, size, info));
    CHECK(info.value() == expected);
    Whole<T> inverse = a.whole();
    for (int j = 0; j < a.rows; ++j) {
      for (int i = 0; i < j; ++i) {
        CHECK((is_upper() ? inverse(j, i) : inverse(i, j)) == T(999));
        (is_upper() ? inverse(j, i) : inverse(i, j)) = is_upper() ? inverse(i, j) : inverse(j, i);
      }
    }
    return inverse;
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
        const auto pivots = factors.pivots.values.numbers();
        const auto negative =
            std::count_if(pivots.begin(), pivots.end(), [](int pivot) { return pivot < 0; });
        if (n == 2 || n > 3) CHECK(negative > 0);  // the diagonal begins with zeros, or ends so
        const Whole<T> other = dominant<T>(n, 801);
        CHECK(are_near(Factors<T>(handle, other, uplo, false).product(), other));
      }
    }
  });
}

TEST_CASE("cuSOLVER: equations with a symmetric matrix, and its inverse") {
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
          CHECK(are_near(whole * factors.invert(handle), identity<T>(n), 1000));
        }
      }
    }
  });
}

TEST_CASE("cuSOLVER: the first element of D's diagonal that is 0, and no inverse then") {
  const Handle handle;
  Whole<double> whole(4, 4);
  whole.elements = {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3};
  const Factors<double> first(handle, whole, lower, true, 2);
  const Factors<double> last(handle, whole, CUBLAS_FILL_MODE_UPPER, true, 3);
  first.invert(handle, 2);
  last.invert(handle, 3);
}

TEST_CASE("cuSOLVER: what is refused of a symmetric matrix") {
  const Handle handle;
  const OnDevice<double> a(symmetric<double>(4, 820, 1.0));
  const Info pivots(4);
  const Info info;
  int size = 0;
  constexpr auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  CHECK(cusolverDnDsytrf_bufferSize(handle, -1, a.get(), a.ld, &size) == invalid);
  CHECK(cusolverDnDsytrf_bufferSize(handle, 4, a.get(), 3, &size) == invalid);
  SUCCEEDS(cusolverDnDsytrf_bufferSize(handle, 4, a.get(), a.ld, &size));
  const Space<double> space(size);
  const auto factorise = [&](cublasFillMode_t uplo, int n, int lda) {
    return cusolverDnDsytrf(handle, uplo, n, a.get(), lda, pivots, space, size, info);
  };
  CHECK(factorise(CUBLAS_FILL_MODE_FULL, 4, a.ld) == invalid);
  CHECK(factorise(lower, -1, a.ld) == invalid);
  CHECK(factorise(lower, 4, 3) == invalid);
}
