/// \file
/// cuBLAS's factorisations, solutions and inverses of many small matrices: plain loops.

#include <algorithm>
#include <utility>
#include <vector>

#include "libraries/common/triangles.hpp"
#include "libraries/cublas/batches.hpp"
#include "libraries/cublas/forms.hpp"

namespace emulator::cublas {
namespace {

// An n x n matrix, stored column by column, of one problem.
template <class T>
struct SquareMatrix {
  T* data;
  std::int64_t n;
  std::int64_t leading_dimension;

  T& at(std::int64_t i, std::int64_t j) const { return data[i + j * leading_dimension]; }
  Rectangle<T> whole() const { return {data, n, n, leading_dimension}; }
};

template <class T>
Real<T> size_of(T x) {
  if constexpr (is_complex<T>) {
    return std::abs(x.real()) + std::abs(x.imag());
  } else {
    return std::abs(x);
  }
}

// Makes L and U of A. Pivots are from 1, and may be null.
// \return 0, or the number, from 1, of the first element of U's diagonal that is 0
template <class T>
int factorise(const SquareMatrix<T>& a, int* pivots) {
  int first_zero = 0;
  for (std::int64_t j = 0; j < a.n; ++j) {
    if (pivots != nullptr) {
      std::int64_t largest = j;
      for (std::int64_t i = j + 1; i < a.n; ++i) {
        if (size_of(a.at(i, j)) > size_of(a.at(largest, j))) largest = i;
      }
      pivots[j] = static_cast<int>(largest + 1);
      for (std::int64_t l = 0; largest != j && l < a.n; ++l) {
        std::swap(a.at(j, l), a.at(largest, l));
      }
    }
    if (a.at(j, j) == T(0)) {
      if (first_zero == 0) first_zero = static_cast<int>(j + 1);
      continue;
    }
    for (std::int64_t i = j + 1; i < a.n; ++i) a.at(i, j) /= a.at(j, j);
    for (std::int64_t l = j + 1; l < a.n; ++l) {
      for (std::int64_t i = j + 1; i < a.n; ++i) a.at(i, l) -= a.at(i, j) * a.at(j, l);
    }
  }
  return first_zero;
}

// Solves op(A) y = x with L and U, and puts y into x.
template <class T>
void solve(const SquareMatrix<const T>& lu, const int* pivots, cublasOperation_t trans, T* x) {
  const bool transposed = is_transposed(trans);
  const Line<T> line{x, lu.n};
  const auto solve_with = [&](bool upper) {
    const Triangle<const T> triangle{lu.data, lu.n, upper, Storage::full, lu.leading_dimension,
                                     lu.n - 1};
    solve_triangle(triangle, {transposed, is_conjugated(trans), !upper}, line);
  };
  const auto exchange = [&](std::int64_t i) {
    if (pivots != nullptr) std::swap(x[i], x[pivots[i] - 1]);
  };
  if (!transposed) {
    for (std::int64_t i = 0; i < lu.n; ++i) exchange(i);
  }
  solve_with(transposed);
  solve_with(!transposed);
  if (transposed) {
    for (std::int64_t i = lu.n - 1; i >= 0; --i) exchange(i);
  }
}

// Columns of the inverse.
template <class T>
void invert(const SquareMatrix<const T>& lu, const int* pivots, const SquareMatrix<T>& inverse) {
  for (std::int64_t j = 0; j < lu.n; ++j) {
    for (std::int64_t i = 0; i < lu.n; ++i) inverse.at(i, j) = i == j ? 1 : 0;
    solve(lu, pivots, CUBLAS_OP_N, &inverse.at(0, j));
  }
}

// The first element of U's diagonal, from 1, that is 0; or 0.
template <class T>
int zero_on_diagonal(const SquareMatrix<const T>& lu) {
  for (std::int64_t i = 0; i < lu.n; ++i) {
    if (lu.at(i, i) == T(0)) return static_cast<int>(i + 1);
  }
  return 0;
}

std::string index(std::int64_t i) {
  return "[" + std::to_string(i) + "]";
}

// Pivots have to be rows, lest a solution leave its vector.
void check_pivots(Call& call, const int* pivots, std::int64_t n, std::int64_t count) {
  if (pivots == nullptr) return;
  call.reads("PivotArray", Line<const int>{pivots, n * count});
  for (std::int64_t i = 0; i < n * count && call.ok(); ++i) {
    if (pivots[i] < 1 || pivots[i] > n) {
      call.refuse(CUBLAS_STATUS_EXECUTION_FAILED, "PivotArray" + index(i) + " is " +
                                                      std::to_string(pivots[i]) + ", no row of " +
                                                      std::to_string(n));
    }
  }
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t getrfBatched(const char* function, cublasHandle_t handle, std::int64_t n,
                            T* const* Aarray, std::int64_t lda, int* pivots, int* info,
                            std::int64_t count) {
  Call call(function, handle);
  call.size("n", n);
  call.leading_dimension("lda", lda, n);
  call.size("batchSize", count);
  if (!call.ok() || n == 0 || count == 0 || !call.starts({})) return call.status();
  const auto a_of = from_array(call, "Aarray", Aarray, count, true);
  const auto square = [&](std::int64_t i) { return SquareMatrix<T>{a_of(i), n, lda}; };
  for (std::int64_t i = 0; i < count && call.ok(); ++i) {
    call.writes("A" + index(i), square(i).whole(), true);
  }
  if (pivots != nullptr) call.writes("PivotArray", Line<int>{pivots, n * count});
  call.writes("infoArray", Line<int>{info, count});
  for (std::int64_t i = 0; i < count && call.ok(); ++i) {
    info[i] = factorise(square(i), pivots == nullptr ? nullptr : pivots + i * n);
  }
  return call.status();
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t getrsBatched(const char* function, cublasHandle_t handle, cublasOperation_t trans,
                            std::int64_t n, std::int64_t columns, const T* const* Aarray,
                            std::int64_t lda, const int* pivots, T* const* Barray, std::int64_t ldb,
                            int* info, std::int64_t count) {
  Call call(function, handle);
  call.writes_on_host("info", info);
  if (!call.ok()) return call.status();
  // By the manual's numbers, which leave out the handle.
  const auto check = [&](int argument, auto check_it) {
    if (!call.ok()) return;
    check_it();
    *info = call.ok() ? 0 : -argument;
  };
  check(1, [&] { call.operation("trans", trans); });
  check(2, [&] { call.size("n", n); });
  check(3, [&] { call.size("nrhs", columns); });
  check(5, [&] { call.leading_dimension("lda", lda, n); });
  check(8, [&] { call.leading_dimension("ldb", ldb, n); });
  check(10, [&] { call.size("batchSize", count); });
  if (!call.ok() || n == 0 || columns == 0 || count == 0 || !call.starts({})) {
    return call.status();
  }
  const auto a_of = from_array(call, "Aarray", Aarray, count, true);
  const auto b_of = from_array(call, "Barray", Barray, count, true);
  for (std::int64_t i = 0; i < count && call.ok(); ++i) {
    call.reads("A" + index(i), Rectangle<const T>{a_of(i), n, n, lda});
    call.writes("B" + index(i), Rectangle<T>{b_of(i), n, columns, ldb}, true);
  }
  check_pivots(call, pivots, n, count);
  for (std::int64_t i = 0; i < count && call.ok(); ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      solve(SquareMatrix<const T>{a_of(i), n, lda}, pivots == nullptr ? nullptr : pivots + i * n,
            trans, b_of(i) + j * ldb);
    }
  }
  return call.status();
}

// What inverses have in common: `invert_one(problem)` returns what infoArray is to hold.
template <class T, class InvertOne>
cublasStatus_t invert_many(Call& call, std::int64_t n, const T* const* Aarray, std::int64_t lda,
                           const int* pivots, T* const* Carray, std::int64_t ldc, int* info,
                           std::int64_t count, InvertOne invert_one) {
  call.size("n", n);
  call.leading_dimension("lda", lda, n);
  call.leading_dimension("ldc", ldc, n);
  call.size("batchSize", count);
  if (!call.ok() || n == 0 || count == 0 || !call.starts({})) return call.status();
  const auto a_of = from_array(call, "Aarray", Aarray, count, true);
  const auto c_of = from_array(call, "Carray", Carray, count, true);
  for (std::int64_t i = 0; i < count && call.ok(); ++i) {
    call.reads("A" + index(i), Rectangle<const T>{a_of(i), n, n, lda});
    call.writes("C" + index(i), Rectangle<T>{c_of(i), n, n, ldc});
  }
  check_pivots(call, pivots, n, count);
  call.writes("infoArray", Line<int>{info, count});
  for (std::int64_t i = 0; i < count && call.ok(); ++i) {
    info[i] =
        invert_one(i, SquareMatrix<const T>{a_of(i), n, lda}, SquareMatrix<T>{c_of(i), n, ldc});
  }
  return call.status();
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t getriBatched(const char* function, cublasHandle_t handle, std::int64_t n,
                            const T* const* Aarray, std::int64_t lda, const int* pivots,
                            T* const* Carray, std::int64_t ldc, int* info, std::int64_t count) {
  Call call(function, handle);
  return invert_many(
      call, n, Aarray, lda, pivots, Carray, ldc, info, count,
      [&](std::int64_t i, const SquareMatrix<const T>& lu, const SquareMatrix<T>& inverse) {
        const int first_zero = zero_on_diagonal(lu);
        const int* const own = pivots == nullptr ? nullptr : pivots + i * n;
        if (first_zero == 0) invert(lu, own, inverse);
        return first_zero;
      });
}

template <class T>
// NOLINTNEXTLINE(readability-identifier-naming): the rest of cuBLAS's name
cublasStatus_t matinvBatched(const char* function, cublasHandle_t handle, std::int64_t n,
                             const T* const* Aarray, std::int64_t lda, T* const* Carray,
                             std::int64_t ldc, int* info, std::int64_t count) {
  constexpr std::int64_t most = 32;
  Call call(function, handle);
  if (n > most) {
    call.refuse(CUBLAS_STATUS_INVALID_VALUE,
                "n is " + std::to_string(n) + ", but must be at most " + std::to_string(most));
  }
  return invert_many(
      call, n, Aarray, lda, nullptr, Carray, ldc, info, count,
      [&](std::int64_t, const SquareMatrix<const T>& a, const SquareMatrix<T>& inverse) {
        std::vector<T> copy(static_cast<std::size_t>(n * n));
        const SquareMatrix<T> lu{copy.data(), n, n};
        for (std::int64_t j = 0; j < n; ++j) {
          for (std::int64_t i = 0; i < n; ++i) lu.at(i, j) = a.at(i, j);
        }
        std::vector<int> pivots(static_cast<std::size_t>(n));
        const int first_zero = factorise(lu, pivots.data());
        if (first_zero == 0) {
          invert(SquareMatrix<const T>{copy.data(), n, n}, pivots.data(), inverse);
        }
        return first_zero;
      });
}

}  // namespace
}  // namespace emulator::cublas

DEFINE_CUBLAS_INT_ALL(getrfBatched, EMULATOR_CUBLAS_GETRF, n, Aarray, lda, PivotArray, infoArray,
                      batchSize)
DEFINE_CUBLAS_INT_ALL(getrsBatched, EMULATOR_CUBLAS_GETRS, trans, n, nrhs, Aarray, lda, PivotArray,
                      Barray, ldb, info, batchSize)
DEFINE_CUBLAS_INT_ALL(getriBatched, EMULATOR_CUBLAS_GETRI, n, Aarray, lda, PivotArray, Carray, ldc,
                      infoArray, batchSize)
DEFINE_CUBLAS_INT_ALL(matinvBatched, EMULATOR_CUBLAS_MATINV, n, Aarray, lda, Carray, ldc, infoArray,
                      batchSize)
