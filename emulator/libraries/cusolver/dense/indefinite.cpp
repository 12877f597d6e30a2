/// \file
/// Factors of symmetric matrices that need not be positive, and what is solved by them.

#include "libraries/cusolver/dense/factors.hpp"
#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

// LAPACK has nothing without pivots: of such an A the factors are L D L^T or U^T D U.

/// \return 0, or the first element of D's diagonal that is 0, from 1
template <class T>
int factorise_without_pivots(bool upper, const Matrix<T>& a) {
  const std::int64_t n = a.columns;
  const auto at = [&](std::int64_t i, std::int64_t j) -> T& { return upper ? a(j, i) : a(i, j); };
  int first_zero = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    const T own = a(k, k);
    if (own == T(0) && first_zero == 0) first_zero = static_cast<int>(k + 1);
    for (std::int64_t j = k + 1; j < n; ++j) {
      const T x = own == T(0) ? T(0) : at(j, k) / own;
      for (std::int64_t i = j; i < n; ++i) at(i, j) -= x * at(i, k);
      at(j, k) = x;
    }
  }
  return first_zero;
}
template <class T>
void solve_without_pivots(bool upper, const Matrix<T>& a, const Matrix<T>& b) {
  solve_triangle(upper, upper ? 'T' : 'N', true, a, b);
  for (std::int64_t j = 0; j < b.columns; ++j) {
    for (std::int64_t i = 0; i < b.rows; ++i) b(i, j) /= a(i, i);
  }
  solve_triangle(upper, upper ? 'N' : 'T', true, a, b);
}

struct SymmetricMatrix {
  cublasFillMode_t uplo;
  std::int64_t n;
  const void* A;
  std::int64_t lda;

  bool is_upper() const { return uplo == CUBLAS_FILL_MODE_UPPER; }
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
        if (s.n == 0) return;  // info is not written either
        const Matrix<T> a = square_at<T>(s.A, s.n, s.lda);
        work.changes("A", a, s.uplo);
        if (pivots != nullptr) work.writes("ipiv", pivots, s.n);
        work.uses({space, work_bytes<T>(s.n)}, work_bytes<T>(s.n));
        work.writes("info", info, 1);
        if (!work.ok()) return;
        if (pivots == nullptr) {
          *info = factorise_without_pivots(s.is_upper(), a);
          return;
        }
        const Local<T> local(a);
        *info = lapack::run_with_work<T>(lapack::sytrf<T>, triangle_letter(s.is_upper()), s.n,
                                         local.data, local.ld, pivots);
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
        const Owned<T> factors(a);
        const Local<T> solved(b);
        if (pivots == nullptr) {
          solve_without_pivots<T>(s.is_upper(), factors, solved);
        } else {
          std::vector<int> numbers(static_cast<std::size_t>(s.n));
          std::transform(pivots, pivots + s.n, numbers.begin(),
                         [](std::int64_t pivot) { return static_cast<int>(pivot); });
          lapack::run(lapack::sytrs<T>, triangle_letter(s.is_upper()), s.n, columns, factors.data,
                      factors.ld, numbers.data(), solved.data, solved.ld);
        }
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
