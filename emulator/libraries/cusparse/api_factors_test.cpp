// Incomplete factorisations, and systems of three and of five diagonals.

#include <algorithm>
#include <cmath>

#include "libraries/cusparse/api_test.hpp"

using namespace sparse;

namespace {

using Complex = std::complex<float>;

constexpr auto by_levels = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
constexpr auto at_once = CUSPARSE_SOLVE_POLICY_NO_LEVEL;

// The same numbers but for what rounding does.
template <class T>
bool are_near(const std::vector<T>& a, const std::vector<T>& b, double tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= tolerance * (1 + std::abs(b[i])))) return false;
  }
  return a.size() == b.size();
}

// Incomplete L U where `a` has elements, by its definition.
template <class T>
Whole<T> lu_of(Whole<T> a) {
  const Whole<T> pattern = a;
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j) {
      if (pattern(i, j) == T{}) continue;
      T sum = pattern(i, j);
      for (int k = 0; k < std::min(i, j); ++k) sum -= a(i, k) * a(k, j);
      a(i, j) = j < i ? sum / a(j, j) : sum;
    }
  }
  return a;
}
// Incomplete L, in the lower triangle; the upper one stays.
template <class T>
Whole<T> cholesky_of(Whole<T> a) {
  const Whole<T> pattern = a;
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j <= i; ++j) {
      if (pattern(i, j) == T{}) continue;
      T sum = pattern(i, j);
      for (int k = 0; k < j; ++k) sum -= a(i, k) * conjugated(a(j, k));
      a(i, j) = j < i ? sum / a(j, j) : std::sqrt(sum);
    }
  }
  return a;
}
template <class T>
std::vector<T> elements_where(const Whole<T>& pattern, const Whole<T>& values) {
  std::vector<T> result;
  for (std::size_t i = 0; i < pattern.elements.size(); ++i) {
    if (pattern.elements[i] != T{}) result.push_back(values.elements[i]);
  }
  return result;
}

// Large on the diagonal, and symmetric, or Hermitian, if that is wanted.
template <class T>
Whole<T> solid_matrix(int size, unsigned seed, bool is_symmetric) {
  Whole<T> a = random_whole<T>(size, size, seed, 3);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < i && is_symmetric; ++j) a(j, i) = conjugated(a(i, j));
    a(i, i) = number<T>(40 + i);
  }
  return a;
}

using LuInfo =
    libraries::Owned<csrilu02Info_t, cusparseCreateCsrilu02Info, cusparseDestroyCsrilu02Info>;
using CholeskyInfo =
    libraries::Owned<csric02Info_t, cusparseCreateCsric02Info, cusparseDestroyCsric02Info>;

// The functions of one type of values.
template <class T>
struct Of;
#define FUNCTIONS_OF(T, letter)                                                                    \
  template <>                                                                                      \
  struct Of<T> {                                                                                   \
    static constexpr auto lu_size = cusparse##letter##csrilu02_bufferSize;                         \
    static constexpr auto lu_analysis = cusparse##letter##csrilu02_analysis;                       \
    static constexpr auto lu = cusparse##letter##csrilu02;                                         \
    static constexpr auto cholesky_size = cusparse##letter##csric02_bufferSize;                    \
    static constexpr auto cholesky_analysis = cusparse##letter##csric02_analysis;                  \
    static constexpr auto cholesky = cusparse##letter##csric02;                                    \
    static constexpr auto gtsv_size = cusparse##letter##gtsv2_bufferSizeExt;                       \
    static constexpr auto gtsv = cusparse##letter##gtsv2;                                          \
    static constexpr auto nopivot_size = cusparse##letter##gtsv2_nopivot_bufferSizeExt;            \
    static constexpr auto nopivot = cusparse##letter##gtsv2_nopivot;                               \
    static constexpr auto strided_size = cusparse##letter##gtsv2StridedBatch_bufferSizeExt;        \
    static constexpr auto strided = cusparse##letter##gtsv2StridedBatch;                           \
    static constexpr auto interleaved_size = cusparse##letter##gtsvInterleavedBatch_bufferSizeExt; \
    static constexpr auto interleaved = cusparse##letter##gtsvInterleavedBatch;                    \
    static constexpr auto five_size = cusparse##letter##gpsvInterleavedBatch_bufferSizeExt;        \
    static constexpr auto five = cusparse##letter##gpsvInterleavedBatch;                           \
  };
FUNCTIONS_OF(float, S)
FUNCTIONS_OF(double, D)
FUNCTIONS_OF(Complex, C)
FUNCTIONS_OF(std::complex<double>, Z)
#undef FUNCTIONS_OF

template <class T>
std::vector<T> factorised_lu(const Handle& handle, const Whole<T>& a, int base,
                             const LuInfo& info) {
  const MatDescr descr(base);
  const OnDevice<T> given(a, base);
  int bytes = 0;
  SUCCEEDS(Of<T>::lu_size(handle, a.rows, given.host.nnz(), descr, named(given.values.get()),
                          given.outer.get(), given.columns.get(), info.value, &bytes));
  const Buffer buffer(static_cast<std::size_t>(bytes));
  SUCCEEDS(Of<T>::lu_analysis(handle, a.rows, given.host.nnz(), descr, named(given.values.get()),
                              given.outer.get(), given.columns.get(), info.value, by_levels,
                              buffer.get()));
  SUCCEEDS(Of<T>::lu(handle, a.rows, given.host.nnz(), descr, named(given.values.get()),
                     given.outer.get(), given.columns.get(), info.value, by_levels, buffer.get()));
  return given.values.numbers();
}
template <class T>
std::vector<T> factorised_cholesky(const Handle& handle, const Whole<T>& a, int base,
                                   const CholeskyInfo& info) {
  const MatDescr descr(base);
  const OnDevice<T> given(a, base);
  int bytes = 0;
  SUCCEEDS(Of<T>::cholesky_size(handle, a.rows, given.host.nnz(), descr, named(given.values.get()),
                                given.outer.get(), given.columns.get(), info.value, &bytes));
  const Buffer buffer(static_cast<std::size_t>(bytes));
  SUCCEEDS(Of<T>::cholesky_analysis(handle, a.rows, given.host.nnz(), descr,
                                    named(given.values.get()), given.outer.get(),
                                    given.columns.get(), info.value, at_once, buffer.get()));
  SUCCEEDS(Of<T>::cholesky(handle, a.rows, given.host.nnz(), descr, named(given.values.get()),
                           given.outer.get(), given.columns.get(), info.value, at_once,
                           buffer.get()));
  return given.values.numbers();
}

template <class T>
void check_lu(int base, double tolerance) {
  const Handle handle;
  const LuInfo info;
  const Whole<T> a = solid_matrix<T>(25, 81, false);
  const std::vector<T> factors = factorised_lu(handle, a, base, info);
  CHECK(are_near(factors, elements_where(a, lu_of(a)), tolerance));
  int position = 7;
  SUCCEEDS(cusparseXcsrilu02_zeroPivot(handle, info.value, &position));
  CHECK(position == -1);
}
template <class T>
void check_cholesky(int base, double tolerance) {
  const Handle handle;
  const CholeskyInfo info;
  const Whole<T> a = solid_matrix<T>(25, 82, true);
  const std::vector<T> factors = factorised_cholesky(handle, a, base, info);
  CHECK(are_near(factors, elements_where(a, cholesky_of(a)), tolerance));
  int position = 7;
  SUCCEEDS(cusparseXcsric02_zeroPivot(handle, info.value, &position));
  CHECK(position == -1);
}

Whole<double> three_by_three(std::initializer_list<double> elements) {
  Whole<double> result(3, 3);
  std::copy(elements.begin(), elements.end(), result.elements.begin());
  return result;
}

}  // namespace

TEST_CASE("cuSPARSE csrilu02: L and U where the matrix has elements") {
  check_lu<float>(0, 1e-5);
  check_lu<double>(1, 1e-13);
  check_lu<Complex>(0, 1e-5);
  check_lu<std::complex<double>>(0, 1e-13);
}

TEST_CASE("cuSPARSE csric02: L where the lower triangle has elements") {
  check_cholesky<float>(0, 1e-5);
  check_cholesky<double>(1, 1e-13);
  check_cholesky<Complex>(0, 1e-5);
  check_cholesky<std::complex<double>>(0, 1e-13);
}

TEST_CASE("cuSPARSE csrilu02: pivots that are missing or 0, and what can take their places") {
  const Handle handle;
  int position = 7;
  const LuInfo unused;  // knows of no matrix
  CHECK(cusparseXcsrilu02_zeroPivot(handle, unused.value, &position) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(position == 7);
  for (const int base : {0, 1}) {
    const LuInfo missing;  // nothing is stored at (1, 1)
    factorised_lu(handle, three_by_three({2, 1, 0, 4, 0, 1, 0, 1, 3}), base, missing);
    CHECK(cusparseXcsrilu02_zeroPivot(handle, missing.value, &position) ==
          CUSPARSE_STATUS_ZERO_PIVOT);
    CHECK(position == 1 + base);
    const LuInfo zero;  // 2 - 4 / 2 * 1 is 0
    factorised_lu(handle, three_by_three({2, 1, 0, 4, 2, 0, 0, 0, 3}), base, zero);
    CHECK(cusparseXcsrilu02_zeroPivot(handle, zero.value, &position) == CUSPARSE_STATUS_ZERO_PIVOT);
    CHECK(position == 1 + base);
  }
  const LuInfo boosted;
  double tolerance = 0.5;
  double boost = 8;
  SUCCEEDS(cusparseDcsrilu02_numericBoost(handle, boosted.value, 1, &tolerance, &boost));
  const std::vector<double> factors =
      factorised_lu(handle, three_by_three({2, 1, 0, 4, 2, 1, 0, 4, 3}), 0, boosted);
  SUCCEEDS(cusparseXcsrilu02_zeroPivot(handle, boosted.value, &position));
  CHECK(position == -1);
  CHECK(factors == std::vector<double>{2, 1, 2, 8, 1, 0.5, 2.5});
}

TEST_CASE("cuSPARSE csric02: pivots that are missing, 0 or negative") {
  const Handle handle;
  int position = 7;
  const CholeskyInfo missing;
  factorised_cholesky(handle, three_by_three({4, 2, 0, 2, 0, 1, 0, 1, 3}), 1, missing);
  CHECK(cusparseXcsric02_zeroPivot(handle, missing.value, &position) == CUSPARSE_STATUS_ZERO_PIVOT);
  CHECK(position == 2);
  const CholeskyInfo zero;  // 1 - 1 * 1 is 0
  factorised_cholesky(handle, three_by_three({4, 2, 0, 2, 1, 0, 0, 0, 3}), 0, zero);
  CHECK(cusparseXcsric02_zeroPivot(handle, zero.value, &position) == CUSPARSE_STATUS_ZERO_PIVOT);
  CHECK(position == 1);
  const CholeskyInfo negative;  // -3 - 1 * 1 is -4, of whose magnitude the root is taken
  Whole<double> a(2, 2);
  a.elements = {4, 2, 2, -3};
  CHECK(factorised_cholesky(handle, a, 0, negative) == std::vector<double>{2, 2, 1, 2});
  CHECK(cusparseXcsric02_zeroPivot(handle, negative.value, &position) ==
        CUSPARSE_STATUS_ZERO_PIVOT);
  CHECK(position == 1);
}

namespace {

// The diagonals of a matrix, each as long as it has rows, and products with it.
template <class T>
struct Diagonals {
  int m;
  std::vector<int> offsets;
  std::vector<std::vector<T>> elements;

  Diagonals(int size, std::vector<int> places, unsigned seed, bool needs_pivots = false)
      : m(size), offsets(std::move(places)) {
    std::mt19937 bits(seed);
    for (const int offset : offsets) {
      std::vector<T> diagonal(static_cast<std::size_t>(m));
      for (int i = 0; i < m; ++i) {
        if (i + offset < 0 || i + offset >= m) continue;
        const int base = offset == 0 && !needs_pivots ? 12 : 1;
        diagonal[static_cast<std::size_t>(i)] =
            number<T>(base + static_cast<int>(bits() % 3), static_cast<int>(bits() % 3) - 1);
      }
      // A first pivot of 0, which only an exchange of rows gets past.
      if (needs_pivots && offset == 0) diagonal[0] = T{};
      elements.push_back(std::move(diagonal));
    }
  }
  std::vector<T> times(const std::vector<T>& x) const {
    std::vector<T> result(x.size());
    for (std::size_t d = 0; d < offsets.size(); ++d) {
      for (int i = 0; i < m; ++i) {
        const int j = i + offsets[d];
        if (j >= 0 && j < m) {
          result[static_cast<std::size_t>(i)] +=
              elements[d][static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(j)];
        }
      }
    }
    return result;
  }
};

template <class T>
void check_columns(bool pivots, double tolerance) {
  const Handle handle;
  constexpr int m = 37;
  constexpr int n = 3;
  constexpr int ldb = 40;
  const Diagonals<T> a(m, {-1, 0, 1}, 91, pivots);
  std::vector<T> solution(ldb * n, T(55));
  std::vector<T> right(ldb * n, T(55));
  for (int j = 0; j < n; ++j) {
    const std::vector<T> x = random_whole<T>(m, 1, 92 + static_cast<unsigned>(j), 1).elements;
    const std::vector<T> b = a.times(x);
    std::copy(x.begin(), x.end(), solution.begin() + j * ldb);
    std::copy(b.begin(), b.end(), right.begin() + j * ldb);
  }
  const Array<T> dl(a.elements[0]);
  const Array<T> d(a.elements[1]);
  const Array<T> du(a.elements[2]);
  const Array<T> b(right);
  std::size_t bytes = 0;
  const auto size = pivots ? Of<T>::gtsv_size : Of<T>::nopivot_size;
  SUCCEEDS(size(handle, m, n, named(dl.get()), named(d.get()), named(du.get()), named(b.get()), ldb,
                &bytes));
  const Buffer buffer(bytes);
  const auto solve = pivots ? Of<T>::gtsv : Of<T>::nopivot;
  SUCCEEDS(solve(handle, m, n, named(dl.get()), named(d.get()), named(du.get()), named(b.get()),
                 ldb, buffer.get()));
  CHECK(are_near(b.numbers(), solution, tolerance));
}

// Three systems, one behind the other or with their elements in turn.
template <class T>
void check_batch(const std::vector<int>& offsets, bool is_interleaved, int algorithm,
                 double tolerance) {
  CAPTURE(is_interleaved);
  CAPTURE(algorithm);
  const Handle handle;
  constexpr int m = 21;
  constexpr int count = 3;
  constexpr int distance = 24;
  const auto place = [&](int system, int i) {
    return static_cast<std::size_t>(is_interleaved ? i * count + system : system * distance + i);
  };
  std::vector<std::vector<T>> diagonals(offsets.size(), std::vector<T>(count * distance));
  std::vector<T> solution(count * distance);
  std::vector<T> right(count * distance);
  for (int system = 0; system < count; ++system) {
    const Diagonals<T> a(m, offsets, 94 + static_cast<unsigned>(system));
    const std::vector<T> x = random_whole<T>(m, 1, 97 + static_cast<unsigned>(system), 1).elements;
    const std::vector<T> b = a.times(x);
    for (int i = 0; i < m; ++i) {
      const auto from = static_cast<std::size_t>(i);
      for (std::size_t d = 0; d < offsets.size(); ++d) {
        diagonals[d][place(system, i)] = a.elements[d][from];
      }
      solution[place(system, i)] = x[from];
      right[place(system, i)] = b[from];
    }
  }
  const Array<T> lowest(diagonals.front());
  const Array<T> lower(diagonals[offsets.size() == 3 ? 0 : 1]);
  const Array<T> middle(diagonals[offsets.size() / 2]);
  const Array<T> upper(diagonals[offsets.size() == 3 ? 2 : 3]);
  const Array<T> uppermost(diagonals.back());
  const Array<T> x(right);
  T* const ds = lowest.get();
  T* const dl = lower.get();
  T* const d = middle.get();
  T* const du = upper.get();
  T* const dw = uppermost.get();
  std::size_t bytes = 0;
  if (offsets.size() == 5) {
    SUCCEEDS(Of<T>::five_size(handle, algorithm, m, named(ds), named(dl), named(d), named(du),
                              named(dw), named(x.get()), count, &bytes));
    const Buffer buffer(bytes);
    SUCCEEDS(Of<T>::five(handle, algorithm, m, named(ds), named(dl), named(d), named(du), named(dw),
                         named(x.get()), count, buffer.get()));
  } else if (is_interleaved) {
    SUCCEEDS(Of<T>::interleaved_size(handle, algorithm, m, named(dl), named(d), named(du),
                                     named(x.get()), count, &bytes));
    const Buffer buffer(bytes);
    SUCCEEDS(Of<T>::interleaved(handle, algorithm, m, named(dl), named(d), named(du),
                                named(x.get()), count, buffer.get()));
  } else {
    SUCCEEDS(Of<T>::strided_size(handle, m, named(dl), named(d), named(du), named(x.get()), count,
                                 distance, &bytes));
    const Buffer buffer(bytes);
    SUCCEEDS(Of<T>::strided(handle, m, named(dl), named(d), named(du), named(x.get()), count,
                            distance, buffer.get()));
  }
  CHECK(are_near(x.numbers(), solution, tolerance));
}

}  // namespace

TEST_CASE("cuSPARSE gtsv2: systems of three diagonals, with pivoting and without") {
  check_columns<float>(true, 1e-4);
  check_columns<double>(true, 1e-10);
  check_columns<Complex>(true, 1e-4);
  check_columns<float>(false, 1e-5);
  check_columns<double>(false, 1e-13);
  check_columns<std::complex<double>>(false, 1e-13);
}

TEST_CASE("cuSPARSE: the sizes of buffers are told for more than can be solved") {
  const Handle handle;
  const Array<float> numbers(std::vector<float>(16, 1));
  float* const x = numbers.get();
  std::size_t bytes = 0;
  SUCCEEDS(cusparseSgtsv2_bufferSizeExt(handle, 2, 1, x, x, x, x, 4, &bytes));
  SUCCEEDS(cusparseSgtsv2_bufferSizeExt(handle, 4, 1, x, x, x, x, 3, &bytes));
  SUCCEEDS(cusparseSgtsvInterleavedBatch_bufferSizeExt(handle, 0, 2, x, x, x, x, 1, &bytes));
  SUCCEEDS(cusparseSgpsvInterleavedBatch_bufferSizeExt(handle, 1, 4, x, x, x, x, x, x, 1, &bytes));
  CHECK(cusparseSgtsvInterleavedBatch_bufferSizeExt(handle, 3, 4, x, x, x, x, 1, &bytes) ==
        CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSgtsv2StridedBatch_bufferSizeExt(handle, 4, x, x, x, x, 1, 3, &bytes) ==
        CUSPARSE_STATUS_INVALID_VALUE);  // however few systems there are
}

TEST_CASE("cuSPARSE: batches of systems of three and of five diagonals") {
  check_batch<float>({-1, 0, 1}, false, 0, 1e-5);
  check_batch<Complex>({-1, 0, 1}, false, 0, 1e-5);
  for (const int algorithm : {0, 1, 2}) {
    check_batch<double>({-1, 0, 1}, true, algorithm, 1e-13);
    check_batch<float>({-1, 0, 1}, true, algorithm, 1e-5);
  }
  check_batch<double>({-2, -1, 0, 1, 2}, true, 0, 1e-12);
  check_batch<Complex>({-2, -1, 0, 1, 2}, true, 0, 1e-4);
}
