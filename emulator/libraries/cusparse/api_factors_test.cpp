// Incomplete factorisations.

#include <algorithm>
#include <cmath>

#include "libraries/cusparse/api_test.hpp"

using namespace sparse;

namespace {

using Complex = std::complex<float>;

constexpr auto by_levels = CUSPARSE_SOLVE_POLICY_USE_LEVEL;
constexpr auto at_once = CUSPARSE_SOLVE_POLICY_NO_LEVEL;

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
struct FactorFunctions;
#define FUNCTIONS_OF(T, letter)                                                   \
  template <>                                                                     \
  struct FactorFunctions<T> {                                                     \
    static constexpr auto lu_size = cusparse##letter##csrilu02_bufferSize;        \
    static constexpr auto lu_analysis = cusparse##letter##csrilu02_analysis;      \
    static constexpr auto lu = cusparse##letter##csrilu02;                        \
    static constexpr auto cholesky_size = cusparse##letter##csric02_bufferSize;   \
    static constexpr auto cholesky_analysis = cusparse##letter##csric02_analysis; \
    static constexpr auto cholesky = cusparse##letter##csric02;                   \
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
  SUCCEEDS(FactorFunctions<T>::lu_size(handle, a.rows, given.host.nnz(), descr,
                                       named(given.values.get()), given.outer.get(),
                                       given.columns.get(), info.value, &bytes));
  const Buffer buffer(static_cast<std::size_t>(bytes));
  SUCCEEDS(FactorFunctions<T>::lu_analysis(
      handle, a.rows, given.host.nnz(), descr, named(given.values.get()), given.outer.get(),
      given.columns.get(), info.value, by_levels, buffer.get()));
  SUCCEEDS(FactorFunctions<T>::lu(handle, a.rows, given.host.nnz(), descr,
                                  named(given.values.get()), given.outer.get(), given.columns.get(),
                                  info.value, by_levels, buffer.get()));
  return given.values.numbers();
}
template <class T>
std::vector<T> factorised_cholesky(const Handle& handle, const Whole<T>& a, int base,
                                   const CholeskyInfo& info) {
  const MatDescr descr(base);
  const OnDevice<T> given(a, base);
  int bytes = 0;
  SUCCEEDS(FactorFunctions<T>::cholesky_size(handle, a.rows, given.host.nnz(), descr,
                                             named(given.values.get()), given.outer.get(),
                                             given.columns.get(), info.value, &bytes));
  const Buffer buffer(static_cast<std::size_t>(bytes));
  SUCCEEDS(FactorFunctions<T>::cholesky_analysis(
      handle, a.rows, given.host.nnz(), descr, named(given.values.get()), given.outer.get(),
      given.columns.get(), info.value, at_once, buffer.get()));
  SUCCEEDS(FactorFunctions<T>::cholesky(handle, a.rows, given.host.nnz(), descr,
                                        named(given.values.get()), given.outer.get(),
                                        given.columns.get(), info.value, at_once, buffer.get()));
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
