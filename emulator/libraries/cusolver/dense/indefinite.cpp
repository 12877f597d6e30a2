/// \file
/// Factors of symmetric matrices that need not be positive, by Bunch's and Kaufman's pivots (Golub
/// and Van Loan, Matrix Computations, section 4.4), and what is solved by them.

#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

// All of this is for the lower triangle; the other one becomes it by turning the matrix round.

/// Which row comes to the diagonal, and whether it is the second one of a block of two.
struct Pivot {
  std::int64_t row;
  bool of_two;
};
/// \param turned  whether, of equal numbers, the last one is taken, as it was the first one
template <class T>
Pivot choose_pivot(const Matrix<T>& a, std::int64_t k, bool turned) {
  using R = Real<T>;
  const R alpha = (1 + std::sqrt(R(17))) / 8;
  const R own = pivot_size(a(k, k));
  std::int64_t largest = k + 1;
  R below = 0;
  for (std::int64_t i = k + 1; i < a.rows; ++i) {
    const R size = pivot_size(a(i, k));
    if (turned ? size < below : size <= below) continue;
    below = size;
    largest = i;
  }
  if (below == 0 || own >= alpha * below) return {k, false};
  R beside = 0;
  for (std::int64_t j = k; j < largest; ++j) beside = std::max(beside, pivot_size(a(largest, j)));
  for (std::int64_t i = largest + 1; i < a.rows; ++i) {
    beside = std::max(beside, pivot_size(a(i, largest)));
  }
  if (own >= alpha * below * (below / beside)) return {k, false};
  return {largest, pivot_size(a(largest, largest)) < alpha * beside};
}

/// Exchanges two rows and columns of what follows them.
template <class T>
void exchange(const Matrix<T>& a, std::int64_t p, std::int64_t q) {
  if (p == q) return;
  for (std::int64_t i = q + 1; i < a.rows; ++i) std::swap(a(i, p), a(i, q));
  for (std::int64_t i = p + 1; i < q; ++i) std::swap(a(i, p), a(q, i));
  std::swap(a(p, p), a(q, q));
}

/// The 2 x 2 block of D that begins at the diagonal's element, applied inversely to two numbers.
template <class T>
struct PivotBlock {
  T upper, between, lower;
  PivotBlock(const Matrix<T>& a, std::int64_t k)
      : upper(a(k, k)), between(a(k + 1, k)), lower(a(k + 1, k + 1)) {}
  void divide(T& x, T& y) const {
    // Over `between`, which is the largest one.
    const T above = upper / between;
    const T below = lower / between;
    const T determinant = above * below - T(1);
    const T first = x / between;
    const T last = y / between;
    x = (below * first - last) / determinant;
    y = (above * last - first) / determinant;
  }
};

/// A = L D L^T, where exchanges stand between the factors of L. \param pivots  null: there are none
/// \return 0, or the first element of D's diagonal that is 0, from 1
template <class T>
int factorise_symmetric(const Matrix<T>& a, int* pivots, bool turned) {
  const std::int64_t n = a.columns;
  int first_zero = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    const Pivot pivot = pivots == nullptr ? Pivot{k, false} : choose_pivot(a, k, turned);
    const int number = static_cast<int>(pivot.row + 1);
    if (pivot.of_two) {
      exchange(a, k + 1, pivot.row);
      if (k + 1 != pivot.row) std::swap(a(k + 1, k), a(pivot.row, k));
      pivots[k] = pivots[k + 1] = -number;
      const PivotBlock<T> block(a, k);
      for (std::int64_t j = k + 2; j < n; ++j) {
        T x = a(j, k);
        T y = a(j, k + 1);
        block.divide(x, y);
        add(n - j, -x, &a(j, k), &a(j, j));
        add(n - j, -y, &a(j, k + 1), &a(j, j));
        a(j, k) = x;
        a(j, k + 1) = y;
      }
      ++k;
      continue;
    }
    if (pivots != nullptr) pivots[k] = number;
    exchange(a, k, pivot.row);
    const T own = a(k, k);
    if (own == T(0)) {  // of pivots, those that come after it are 0, too
      if (first_zero == 0) first_zero = static_cast<int>(k + 1);
      std::fill_n(&a(k, k), n - k, T(0));
      continue;
    }
    for (std::int64_t j = k + 1; j < n; ++j) {
      const T x = a(j, k) / own;
      add(n - j, -x, &a(j, k), &a(j, j));
      a(j, k) = x;
    }
  }
  return first_zero;
}

template <class T, class Index>
void solve_symmetric(const Matrix<T>& a, const Index* pivots, const Matrix<T>& b) {
  const std::int64_t n = a.columns;
  const auto is_of_two = [&](std::int64_t k) { return pivots != nullptr && pivots[k] < 0; };
  const auto exchange_rows = [&](std::int64_t k) {
    const std::int64_t other = pivots == nullptr ? k : std::abs(std::int64_t{pivots[k]}) - 1;
    for (std::int64_t j = 0; other != k && j < b.columns; ++j) std::swap(b(k, j), b(other, j));
  };
  // Column k of L, and the first row that it changes.
  const auto subtract = [&](std::int64_t k, std::int64_t from) {
    for (std::int64_t j = 0; from < n && j < b.columns; ++j) {
      add(n - from, -b(k, j), &a(from, k), &b(from, j));
    }
  };
  const auto subtract_product = [&](std::int64_t k, std::int64_t from) {
    for (std::int64_t j = 0; j < b.columns; ++j) {
      for (std::int64_t i = from; i < n; ++i) b(k, j) -= a(i, k) * b(i, j);
    }
  };
  for (std::int64_t k = 0; k < n; ++k) {
    if (is_of_two(k)) {
      exchange_rows(k + 1);
      subtract(k, k + 2);
      subtract(k + 1, k + 2);
      const PivotBlock<T> block(a, k);
      for (std::int64_t j = 0; j < b.columns; ++j) block.divide(b(k, j), b(k + 1, j));
      ++k;
    } else {
      exchange_rows(k);
      subtract(k, k + 1);
      for (std::int64_t j = 0; j < b.columns; ++j) b(k, j) /= a(k, k);
    }
  }
  for (std::int64_t k = n - 1; k >= 0; --k) {
    subtract_product(k, k + 1);
    if (is_of_two(k)) {
      subtract_product(k - 1, k + 1);
      exchange_rows(k);
      --k;
    } else {
      exchange_rows(k);
    }
  }
}

struct SymmetricMatrix {
  cublasFillMode_t uplo;
  std::int64_t n;
  const void* A;
  std::int64_t lda;

  bool is_upper() const { return uplo == CUBLAS_FILL_MODE_UPPER; }
};

/// The lower triangle, and pivots that belong to it. With pivots an upper one is turned round;
/// without them the library's factors are U^T D U, and it is transposed.
template <class T, class Index>
struct LowerTriangle {
  Owned<T> a;
  std::vector<Index> numbers;
  bool is_upper;
  bool turns;

  LowerTriangle(const Matrix<T>& from, bool upper, bool with_pivots)
      : a(from.rows, from.columns), is_upper(upper), turns(upper && with_pivots) {
    copy_triangle<T>(from, upper, true, a);
    turn();
    if (with_pivots) numbers.resize(static_cast<std::size_t>(from.columns));
  }
  void turn() {
    if (turns) return turn_round<T>(a, true, true, a);
    for (std::int64_t j = 0; is_upper && j < a.columns; ++j) {
      for (std::int64_t i = 0; i < j; ++i) std::swap(a(i, j), a(j, i));
    }
  }
  void turn_numbers() {
    if (!turns) return;
    const auto n = static_cast<Index>(a.columns);
    for (Index& number : numbers) number = number < 0 ? -(n + 1 + number) : n + 1 - number;
    std::reverse(numbers.begin(), numbers.end());
  }
  const Index* pivots() const { return numbers.empty() ? nullptr : numbers.data(); }
};

template <class T>
cusolverStatus_t sytrf(const char* function, const Context* handle, const SymmetricMatrix& s,
                       int* pivots, const void* space, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        work.fill_mode(s.uplo, -1);
        work.size("n", s.n, -2);
        work.leading_dimension("lda", s.lda, s.n, -4);
      },
      [=](Work& work) {
        if (s.n == 0) return;  // info, too, is not written
        const Matrix<T> a = square_at<T>(s.A, s.n, s.lda);
        work.changes("A", a, s.uplo);
        if (pivots != nullptr) work.writes("ipiv", pivots, s.n);
        work.uses({space, work_bytes<T>(s.n)}, work_bytes<T>(s.n));
        work.writes("info", info, 1);
        if (!work.ok()) return;
        LowerTriangle<T, int> lower(a, s.is_upper(), pivots != nullptr);
        int* const numbers = pivots == nullptr ? nullptr : lower.numbers.data();
        const int zero = factorise_symmetric<T>(lower.a, numbers, lower.turns);
        lower.turn();
        lower.turn_numbers();
        copy_triangle<T>(lower.a, s.is_upper(), true, a);
        std::copy(lower.numbers.begin(), lower.numbers.end(), pivots);
        *info = lower.turns && zero != 0 ? static_cast<int>(s.n) + 1 - zero : zero;
      },
      info);
}

// Pivots have to be rows, and those of blocks come in twos, lest an exchange leave the matrix.
template <class Index>
void check_pivots(Work& work, const Index* pivots, std::int64_t n) {
  for (std::int64_t i = 0; pivots != nullptr && i < n && work.ok(); ++i) {
    const std::int64_t pivot = pivots[i];
    bool is_right = pivot != 0 && std::abs(pivot) <= n;
    if (pivot < 0) is_right = is_right && ++i < n && pivots[i] == pivot;
    if (is_right) continue;
    work.refuse(CUSOLVER_STATUS_EXECUTION_FAILED,
                "ipiv has " + std::to_string(pivot) + ", no row of " + std::to_string(n) +
                    ", or one of a block of two without the other");
  }
}

template <class T>
cusolverStatus_t sytrs(const char* function, const Context* handle, const SymmetricMatrix& s,
                       const std::int64_t* pivots, std::int64_t columns, void* B, std::int64_t ldb,
                       int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        work.fill_mode(s.uplo, -1);
        work.size("n", s.n, -2);
        work.size("nrhs", columns, -3);
        work.leading_dimension("lda", s.lda, s.n, -6);
        work.leading_dimension("ldb", ldb, s.n, -10);
      },
      [=](Work& work) {
        const Matrix<T> a = square_at<T>(s.A, s.n, s.lda);
        const Matrix<T> b{as<T>(B), s.n, columns, ldb};
        work.reads("A", a, s.uplo);
        if (pivots != nullptr) work.reads("ipiv", pivots, s.n);
        work.changes("B", b);
        work.writes("info", info, 1);
        check_pivots(work, pivots, s.n);
        if (!work.ok()) return;
        LowerTriangle<T, std::int64_t> lower(a, s.is_upper(), pivots != nullptr);
        std::copy_n(pivots, lower.numbers.size(), lower.numbers.begin());
        lower.turn_numbers();
        if (lower.turns) turn_round(b, true, false, b);
        solve_symmetric<T>(lower.a, lower.pivots(), b);
        if (lower.turns) turn_round(b, true, false, b);
        *info = 0;
      },
      info);
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

// The library looks at no sizes here, nor for sytrs, which needs no work.
CUSOLVER_ALL(sytrf_bufferSize, EMULATOR_CUSOLVER_SYTRF_BUFFER_SIZE,
             size_call(
                 __func__, handle, [](Work&) {}, lwork, work_elements(n)))
CUSOLVER_ALL(sytrf, EMULATOR_CUSOLVER_SYTRF,
             sytrf<T>(__func__, handle, SymmetricMatrix{uplo, n, A, lda}, ipiv, work, info))

cusolverStatus_t cusolverDnXsytrs_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t,
                                             std::int64_t, std::int64_t, cudaDataType, const void*,
                                             std::int64_t, const std::int64_t*, cudaDataType, void*,
                                             std::int64_t, std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  return size_call(
      __func__, handle, [](Work&) {}, workspaceInBytesOnDevice, 0);
}
cusolverStatus_t cusolverDnXsytrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, std::int64_t n,
                                  std::int64_t nrhs, cudaDataType dataTypeA, const void* A,
                                  std::int64_t lda, const std::int64_t* ipiv,
                                  cudaDataType dataTypeB, void* B, std::int64_t ldb, void*,
                                  std::size_t, void*, std::size_t, int* info) {
  const char* const function = __func__;
  return with_type(
      function, handle, dataTypeA, dataTypeB,
      [&](auto zero) {
        return sytrs<decltype(zero)>(function, handle, SymmetricMatrix{uplo, n, A, lda}, ipiv, nrhs,
                                     B, ldb, info);
      },
      CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}
