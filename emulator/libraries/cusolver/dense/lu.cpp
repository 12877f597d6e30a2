/// \file
/// Gauss's factors of general matrices.

#include <numeric>

#include "libraries/cusolver/dense/factors.hpp"
#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

void check(Work& work, std::int64_t m, std::int64_t n, std::int64_t lda) {
  work.size("m", m);
  work.size("n", n);
  work.leading_dimension("lda", lda, m);
}
template <class Size>
cusolverStatus_t size_of(const char* function, const Context* handle, std::int64_t m,
                         std::int64_t n, std::int64_t lda, Size* size, std::int64_t bytes) {
  return size_call(
      function, handle, [&](Work& work) { check(work, m, n, lda); }, size,
      bytes * work_elements(m, n));
}

/// A = L U: LAPACK has nothing without pivots. \return the same as with them
template <class T>
int factorise_without_pivots(const Matrix<T>& a) {
  int first_zero = 0;
  for (std::int64_t j = 0; j < std::min(a.rows, a.columns); ++j) {
    if (a(j, j) == T(0) && first_zero == 0) first_zero = static_cast<int>(j + 1);
    for (std::int64_t i = j + 1; i < a.rows; ++i) a(i, j) /= a(j, j);
    for (std::int64_t l = j + 1; l < a.columns; ++l) {
      add(a.rows - j - 1, -a(j, l), &a(j, j) + 1, &a(j, l) + 1);
    }
  }
  return first_zero;
}

template <class T, class Pivot>
cusolverStatus_t getrf(const char* function, const Context* handle, std::int64_t m, std::int64_t n,
                       void* A, std::int64_t lda, WorkMemory space, Pivot* pivots, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        check(work, m, n, lda);
        work.space(space, work_bytes<T>(m, n));
      },
      [=](Work& work) {
        const Matrix<T> a{as<T>(A), m, n, lda};
        work.changes("A", a);
        if (pivots != nullptr) work.writes("devIpiv", pivots, std::min(m, n));
        work.uses(space, work_bytes<T>(m, n));
        work.writes("devInfo", info, 1);
        if (!work.ok()) return;
        if (pivots == nullptr) {
          *info = factorise_without_pivots(a);
          return;
        }
        std::vector<int> numbers(static_cast<std::size_t>(std::min(m, n)));
        *info = factorise<T>(Local<T>(a), numbers.data());
        std::copy(numbers.begin(), numbers.end(), pivots);
      });
}

// Pivots have to be rows, lest an exchange leave the matrix.
template <class Pivot>
void check_pivots(Work& work, const Pivot* pivots, std::int64_t count, std::int64_t rows,
                  std::int64_t step = 1) {
  for (std::int64_t i = 0; pivots != nullptr && i < count && work.ok(); ++i) {
    if (pivots[i * step] >= 1 && pivots[i * step] <= rows) continue;
    work.refuse(CUSOLVER_STATUS_EXECUTION_FAILED, "devIpiv[" + std::to_string(i) + "] is " +
                                                      std::to_string(pivots[i * step]) +
                                                      ", no row of " + std::to_string(rows));
  }
}

template <class T, class Pivot>
cusolverStatus_t getrs(const char* function, const Context* handle, cublasOperation_t trans,
                       std::int64_t n, std::int64_t columns, const void* A, std::int64_t lda,
                       const Pivot* pivots, void* B, std::int64_t ldb, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        work.operation(trans);
        work.size("n", n);
        work.leading_dimension("lda", lda, n);
        work.size("nrhs", columns);
        work.leading_dimension("ldb", ldb, n);
      },
      [=](Work& work) {
        const Matrix<T> a = square_at<T>(A, n, lda);
        const Matrix<T> b{as<T>(B), n, columns, ldb};
        work.reads("A", a);
        if (pivots != nullptr) work.reads("devIpiv", pivots, n);
        work.changes("B", b);
        work.writes("devInfo", info, 1);
        check_pivots(work, pivots, n, n);
        if (!work.ok()) return;
        std::vector<int> numbers(static_cast<std::size_t>(n));
        if (pivots == nullptr) {
          std::iota(numbers.begin(), numbers.end(), 1);
        } else {
          std::transform(pivots, pivots + n, numbers.begin(),
                         [](Pivot row) { return static_cast<int>(row); });
        }
        const char operation = trans == CUBLAS_OP_N ? 'N' : trans == CUBLAS_OP_T ? 'T' : 'C';
        solve_factorised<T>(Owned<T>(a), numbers.data(), operation, Local<T>(b));
        *info = 0;
      });
}

template <class T>
cusolverStatus_t laswp(const char* function, const Context* handle, std::int64_t n, void* A,
                       std::int64_t lda, std::int64_t first, std::int64_t last, const int* pivots,
                       std::int64_t step) {
  return call(
      function, handle,
      [=](Work& work) {
        work.size("n", n);
        work.require(lda >= 1, "lda is less than 1");
        work.require(first >= 1, "k1 is less than 1");
        work.require(last <= lda, "k2 is beyond lda");
      },
      [=](Work& work) {
        if (last < first) return;  // nothing is exchanged
        const std::int64_t count = last - first + 1;
        const std::int64_t distance = std::abs(step);
        // Of no step the library takes the very first pivot for all rows, as an H200 shows.
        const int* const pivot = step == 0 ? pivots : pivots + first - 1;
        work.reads("devIpiv", pivot, (count - 1) * distance + 1);
        check_pivots(work, pivot, count, lda, distance);
        std::int64_t rows = last;
        for (std::int64_t i = 0; i < count && work.ok(); ++i) {
          rows = std::max<std::int64_t>(rows, pivot[i * distance]);
        }
        const Matrix<T> a{as<T>(A), rows, n, lda};
        work.changes("A", a);
        // LAPACK's own does nothing for a step of 0.
        for (std::int64_t k = 0; k < count && work.ok(); ++k) {
          const std::int64_t i = step >= 0 ? k : count - 1 - k;
          for (std::int64_t j = 0; j < n; ++j) {
            std::swap(a(first - 1 + i, j), a(pivot[i * distance] - 1, j));
          }
        }
      });
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

// The library looks at no sizes here, other than below.
CUSOLVER_ALL(getrf_bufferSize, EMULATOR_CUSOLVER_GETRF_BUFFER_SIZE,
             size_call(
                 __func__, handle, [](Work&) {}, Lwork, work_elements(m, n)))
CUSOLVER_ALL(getrf, EMULATOR_CUSOLVER_GETRF,
             getrf<T>(__func__, handle, m, n, A, lda, WorkMemory{Workspace, work_bytes<T>(m, n)},
                      devIpiv, devInfo))
CUSOLVER_ALL(getrs, EMULATOR_CUSOLVER_GETRS,
             getrs<T>(__func__, handle, trans, n, nrhs, A, lda, devIpiv, B, ldb, devInfo))
CUSOLVER_ALL(laswp, EMULATOR_CUSOLVER_LASWP,
             laswp<T>(__func__, handle, n, A, lda, k1, k2, devIpiv, incx))

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             std::int64_t m, std::int64_t n, cudaDataType dataTypeA,
                                             const void*, std::int64_t lda,
                                             cudaDataType computeType,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return size_of(function, handle, m, n, lda, workspaceInBytesOnDevice, sizeof(zero));
  });
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t, std::int64_t m,
                                  std::int64_t n, cudaDataType dataTypeA, void* A, std::int64_t lda,
                                  std::int64_t* ipiv, cudaDataType computeType,
                                  void* bufferOnDevice, std::size_t workspaceInBytesOnDevice, void*,
                                  std::size_t, int* info) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return getrf<decltype(zero)>(function, handle, m, n, A, lda,
                                 bytes_at(bufferOnDevice, workspaceInBytesOnDevice), ipiv, info);
  });
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasOperation_t trans, std::int64_t n, std::int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, std::int64_t lda,
                                  const std::int64_t* ipiv, cudaDataType dataTypeB, void* B,
                                  std::int64_t ldb, int* info) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, dataTypeB, [&](auto zero) {
    return getrs<decltype(zero)>(function, handle, trans, n, nrhs, A, lda, ipiv, B, ldb, info);
  });
}
