/// \file
/// Cholesky's factors, and inverses of triangles.

#include "libraries/cusolver/dense/factors.hpp"
#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

bool is_upper(cublasFillMode_t uplo) {
  return uplo == CUBLAS_FILL_MODE_UPPER;
}

void check(Work& work, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda) {
  work.fill_mode(uplo, -1);
  work.size("n", n, -2);
  work.leading_dimension("lda", lda, n, -4);
}

template <class Size>
cusolverStatus_t size_of(const char* function, const Context* handle, cublasFillMode_t uplo,
                         std::int64_t n, std::int64_t lda, Size* size, std::int64_t bytes) {
  return size_call(
      function, handle, [&](Work& work) { check(work, uplo, n, lda); }, size,
      bytes * work_elements(n));
}

/// What works on one triangle: `change(upper, a)` returns what info is to hold.
/// \param argument_info  info, if it reports arguments
template <class T, class Change>
cusolverStatus_t change_triangle(const char* function, const Context* handle, cublasFillMode_t uplo,
                                 std::int64_t n, void* values, std::int64_t lda, WorkMemory space,
                                 int* info, int* argument_info, Change change) {
  return call(
      function, handle,
      [=](Work& work) {
        check(work, uplo, n, lda);
        work.space(space, work_bytes<T>(n));
        work.require(space.data != nullptr, "the work is a null pointer");
      },
      [=](Work& work) {
        const Matrix<T> a = square_at<T>(values, n, lda);
        work.changes("A", a, uplo);
        work.uses(space, work_bytes<T>(n));
        work.writes("devInfo", info, 1);
        if (work.ok()) *info = change(is_upper(uplo), Local<T>(a));
      },
      argument_info);
}
/// As LAPACK's functions of one triangle do it.
template <class T>
auto by(lapack::OneTriangle<T>* function) {
  return [function](bool upper, const Matrix<T>& a) {
    return lapack::run(function, triangle_letter(upper), a.columns, a.data, a.ld);
  };
}
template <class T>
void solve_cholesky(bool upper, const Matrix<T>& a, const Matrix<T>& b) {
  lapack::run(lapack::potrs<T>, triangle_letter(upper), a.columns, b.columns, a.data, a.ld, b.data,
              b.ld);
}

template <class T>
cusolverStatus_t potrs(const char* function, const Context* handle, cublasFillMode_t uplo,
                       std::int64_t n, std::int64_t columns, const void* A, std::int64_t lda,
                       void* B, std::int64_t ldb, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        check(work, uplo, n, lda);
        work.size("nrhs", columns);
        work.leading_dimension("ldb", ldb, n);
      },
      [=](Work& work) {
        const Matrix<T> a = square_at<T>(A, n, lda);
        const Matrix<T> b{as<T>(B), n, columns, ldb};
        work.reads("A", a, uplo);
        work.changes("B", b);
        work.writes("devInfo", info, 1);
        if (!work.ok()) return;
        solve_cholesky<T>(is_upper(uplo), Owned<T>(a), Local<T>(b));
        *info = 0;
      });
}

std::string element(const char* name, std::int64_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

template <class T>
cusolverStatus_t potrf_batched(const char* function, const Context* handle, cublasFillMode_t uplo,
                               std::int64_t n, void* const* matrices, std::int64_t lda, int* info,
                               std::int64_t count) {
  return call(
      function, handle,
      [=](Work& work) {
        check(work, uplo, n, lda);
        work.require(count > 0, "batchSize is not positive");
      },
      [=](Work& work) {
        work.reads("Aarray", matrices, count);
        work.writes("infoArray", info, count);
        for (std::int64_t i = 0; i < count && work.ok(); ++i) {
          const Matrix<T> a = square_at<T>(matrices[i], n, lda);
          work.changes(element("A", i), a, uplo);
          if (work.ok()) info[i] = cholesky<T>(is_upper(uplo), Local<T>(a));
        }
      });
}

template <class T>
cusolverStatus_t potrs_batched(const char* function, const Context* handle, cublasFillMode_t uplo,
                               std::int64_t n, std::int64_t columns, void* const* matrices,
                               std::int64_t lda, void* const* sides, std::int64_t ldb, int* info,
                               std::int64_t count) {
  return call(
      function, handle,
      [=](Work& work) {
        check(work, uplo, n, lda);
        work.require(columns == 1, "nrhs is not 1");
        work.leading_dimension("ldb", ldb, n);
        work.size("batchSize", count);
      },
      [=](Work& work) {
        work.reads("Aarray", matrices, count);
        work.reads("Barray", sides, count);
        work.writes("info", info, 1);
        for (std::int64_t i = 0; i < count && work.ok(); ++i) {
          const Matrix<T> a = square_at<T>(matrices[i], n, lda);
          const Matrix<T> b{as<T>(sides[i]), n, columns, ldb};
          work.reads(element("A", i), a, uplo);
          work.changes(element("B", i), b);
          if (work.ok()) solve_cholesky<T>(is_upper(uplo), Owned<T>(a), Local<T>(b));
        }
        if (work.ok()) *info = 0;
      });
}

template <class T>
cusolverStatus_t trtri(const char* function, const Context* handle, cublasFillMode_t uplo,
                       bool unit, std::int64_t n, void* A, std::int64_t lda, WorkMemory space,
                       int* info) {
  return change_triangle<T>(function, handle, uplo, n, A, lda, space, info, nullptr,
                            [unit](bool upper, const Matrix<T>& a) {
                              return lapack::run(lapack::trtri<T>, triangle_letter(upper),
                                                 unit ? 'U' : 'N', a.columns, a.data, a.ld);
                            });
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

CUSOLVER_ALL(potrf_bufferSize, EMULATOR_CUSOLVER_POTRF_BUFFER_SIZE,
             size_of(__func__, handle, uplo, n, lda, Lwork, 1))
// The library does not look at Lwork.
CUSOLVER_ALL(potrf, EMULATOR_CUSOLVER_POTRF,
             change_triangle<T>(__func__, handle, uplo, n, A, lda,
                                WorkMemory{Workspace, work_bytes<T>(n)}, devInfo, devInfo,
                                cholesky<T>))
CUSOLVER_ALL(potrs, EMULATOR_CUSOLVER_POTRS,
             potrs<T>(__func__, handle, uplo, n, nrhs, A, lda, B, ldb, devInfo))
CUSOLVER_ALL(potrfBatched, EMULATOR_CUSOLVER_POTRF_BATCHED,
             potrf_batched<T>(__func__, handle, uplo, n, reinterpret_cast<void* const*>(Aarray),
                              lda, infoArray, batchSize))
CUSOLVER_ALL(potrsBatched, EMULATOR_CUSOLVER_POTRS_BATCHED,
             potrs_batched<T>(__func__, handle, uplo, n, nrhs, reinterpret_cast<void* const*>(A),
                              lda, reinterpret_cast<void* const*>(B), ldb, d_info, batchSize))
CUSOLVER_ALL(potri_bufferSize, EMULATOR_CUSOLVER_POTRI_BUFFER_SIZE,
             size_of(__func__, handle, uplo, n, lda, lwork, 1))
CUSOLVER_ALL(potri, EMULATOR_CUSOLVER_POTRI,
             change_triangle<T>(__func__, handle, uplo, n, A, lda, space_of<T>(work, lwork),
                                devInfo, devInfo, by<T>(lapack::potri<T>)))
CUSOLVER_ALL(lauum_bufferSize, EMULATOR_CUSOLVER_LAUUM_BUFFER_SIZE,
             size_of(__func__, handle, uplo, n, lda, lwork, 1))
CUSOLVER_ALL(lauum, EMULATOR_CUSOLVER_LAUUM,
             change_triangle<T>(__func__, handle, uplo, n, A, lda, space_of<T>(work, lwork),
                                devInfo, devInfo, by<T>(lapack::lauum<T>)))

cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cublasFillMode_t uplo, std::int64_t n, cudaDataType,
                                             const void*, std::int64_t lda, cudaDataType,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  // Types are looked at by the call itself; this is enough for all of them.
  return size_of(__func__, handle, uplo, n, lda, workspaceInBytesOnDevice,
                 sizeof(std::complex<double>));
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, std::int64_t n, cudaDataType dataTypeA,
                                  void* A, std::int64_t lda, cudaDataType computeType,
                                  void* bufferOnDevice, std::size_t workspaceInBytesOnDevice, void*,
                                  std::size_t, int* info) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return change_triangle<decltype(zero)>(function, handle, uplo, n, A, lda,
                                           bytes_at(bufferOnDevice, workspaceInBytesOnDevice), info,
                                           nullptr, cholesky<decltype(zero)>);
  });
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cublasFillMode_t uplo, std::int64_t n, std::int64_t nrhs,
                                  cudaDataType dataTypeA, const void* A, std::int64_t lda,
                                  cudaDataType dataTypeB, void* B, std::int64_t ldb, int* info) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, dataTypeB, [&](auto zero) {
    return potrs<decltype(zero)>(function, handle, uplo, n, nrhs, A, lda, B, ldb, info);
  });
}
cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                             cublasDiagType_t, std::int64_t n,
                                             cudaDataType dataTypeA, void*, std::int64_t lda,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, dataTypeA, [&](auto zero) {
    return size_of(function, handle, uplo, n, lda, workspaceInBytesOnDevice, sizeof(zero));
  });
}
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t handle, cublasFillMode_t uplo,
                                  cublasDiagType_t diag, std::int64_t n, cudaDataType dataTypeA,
                                  void* A, std::int64_t lda, void* bufferOnDevice,
                                  std::size_t workspaceInBytesOnDevice, void*, std::size_t,
                                  int* devInfo) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, dataTypeA, [&](auto zero) {
    return trtri<decltype(zero)>(function, handle, uplo, diag == CUBLAS_DIAG_UNIT, n, A, lda,
                                 bytes_at(bufferOnDevice, workspaceInBytesOnDevice), devInfo);
  });
}
