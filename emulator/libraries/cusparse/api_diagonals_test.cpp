// Systems of three and of five diagonals.

#include <algorithm>
#include <cmath>

#include "libraries/cusparse/api_test.hpp"

using namespace sparse;

namespace {

using Complex = std::complex<float>;

// The functions of one type of values.
template <class T>
struct SystemFunctions;
#define FUNCTIONS_OF(T, letter)                                                                    \
  template <>                                                                                      \
  struct SystemFunctions<T> {                                                                      \
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
  const auto size = pivots ? SystemFunctions<T>::gtsv_size : SystemFunctions<T>::nopivot_size;
  SUCCEEDS(size(handle, m, n, named(dl.get()), named(d.get()), named(du.get()), named(b.get()), ldb,
                &bytes));
  const Buffer buffer(bytes);
  const auto solve = pivots ? SystemFunctions<T>::gtsv : SystemFunctions<T>::nopivot;
  SUCCEEDS(solve(handle, m, n, named(dl.get()), named(d.get()), named(du.get()), named(b.get()),
                 ldb, buffer.get()));
  CHECK(are_near(b.numbers(), solution, tolerance));
}

// Three systems, one after the other or with their elements in turn.
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
    SUCCEEDS(SystemFunctions<T>::five_size(handle, algorithm, m, named(ds), named(dl), named(d),
                                           named(du), named(dw), named(x.get()), count, &bytes));
    const Buffer buffer(bytes);
    SUCCEEDS(SystemFunctions<T>::five(handle, algorithm, m, named(ds), named(dl), named(d),
                                      named(du), named(dw), named(x.get()), count, buffer.get()));
  } else if (is_interleaved) {
    SUCCEEDS(SystemFunctions<T>::interleaved_size(handle, algorithm, m, named(dl), named(d),
                                                  named(du), named(x.get()), count, &bytes));
    const Buffer buffer(bytes);
    SUCCEEDS(SystemFunctions<T>::interleaved(handle, algorithm, m, named(dl), named(d), named(du),
                                             named(x.get()), count, buffer.get()));
  } else {
    SUCCEEDS(SystemFunctions<T>::strided_size(handle, m, named(dl), named(d), named(du),
                                              named(x.get()), count, distance, &bytes));
    const Buffer buffer(bytes);
    SUCCEEDS(SystemFunctions<T>::strided(handle, m, named(dl), named(d), named(du), named(x.get()),
                                         count, distance, buffer.get()));
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
