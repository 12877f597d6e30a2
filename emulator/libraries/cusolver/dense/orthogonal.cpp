/// \file
/// Q and R, products with Q, and matrices of three diagonals.

#include "libraries/cusolver/dense/factors.hpp"
#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

template <class T>
cusolverStatus_t geqrf(const char* function, const Context* handle, std::int64_t m, std::int64_t n,
                       void* A, std::int64_t lda, void* factors, WorkMemory space, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        work.size("m", m);
        work.size("n", n);
        work.leading_dimension("lda", lda, m);
        work.space(space, work_bytes<T>(m, n));
      },
      [=](Work& work) {
        const Matrix<T> a{as<T>(A), m, n, lda};
        work.changes("A", a);
        work.writes("TAU", as<T>(factors), std::min(m, n));
        work.uses(space, work_bytes<T>(m, n));
        work.writes("devInfo", info, 1);
        if (!work.ok()) return;
        factorise_qr<T>(Local<T>(a), as<T>(factors));
        *info = 0;
      });
}
template <class Size>
cusolverStatus_t geqrf_size(const char* function, const Context* handle, std::int64_t m,
                            std::int64_t n, std::int64_t lda, Size* size, std::int64_t bytes) {
  return size_call(
      function, handle,
      [&](Work& work) {
        work.size("m", m);
        work.size("n", n);
        work.leading_dimension("lda", lda, m);
      },
      size, bytes * work_elements(m, n));
}

struct OrthogonalMatrix {  // the first n columns of a product of k reflections
  std::int64_t m, n, k;
  void* values;
  std::int64_t lda;
  const void* factors;

  void check(Work& work) const {
    work.size("m", m);
    work.require(n >= 0 && n <= m, "n is negative, or more than m");
    work.require(k >= 0 && k <= n, "k is negative, or more than n");
    work.leading_dimension("lda", lda, m);
  }
};
template <class T>
cusolverStatus_t orgqr(const char* function, const Context* handle, const OrthogonalMatrix& g,
                       WorkMemory space, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        g.check(work);
        work.space(space, work_bytes<T>(g.m, g.n));
      },
      [=](Work& work) {
        const Matrix<T> a{as<T>(g.values), g.m, g.n, g.lda};
        work.reads("A", a.first(g.k));
        work.writes("A", a);
        work.reads("tau", as<T>(g.factors), g.k);
        work.uses(space, work_bytes<T>(g.m, g.n));
        work.writes("info", info, 1);
        if (!work.ok()) return;
        make_q<T>(Local<T>(a), as<T>(g.factors), g.k);
        *info = 0;
      });
}

struct OrthogonalProduct {  // C = op(Q) C or C op(Q)
  cublasSideMode_t side;
  cublasOperation_t trans;
  std::int64_t m, n, k;
  const void* values;
  std::int64_t lda;
  const void* factors;
  void* result;
  std::int64_t ldc;

  bool is_left() const { return side == CUBLAS_SIDE_LEFT; }
  std::int64_t order() const { return is_left() ? m : n; }
  void check(Work& work) const {
    work.side(side);
    work.operation(trans);
    work.size("m", m);
    work.size("n", n);
    work.require(k >= 0 && k <= order(), "k is negative, or more than the order of Q");
    work.leading_dimension("lda", lda, order());
    work.leading_dimension("ldc", ldc, m);
  }
  /// Nobody looks at this before.
  template <class T>
  void check_operation(Work& work) const {
    work.require(!is_complex<T> || trans != CUBLAS_OP_T,
                 "trans is CUBLAS_OP_T, for complex numbers");
  }
};
template <class T>
cusolverStatus_t ormqr(const char* function, const Context* handle, const OrthogonalProduct& q,
                       WorkMemory space, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        q.check(work);
        q.check_operation<T>(work);
        work.space(space, work_bytes<T>(q.m, q.n));
      },
      [=](Work& work) {
        const Matrix<T> a{as<T>(q.values), q.order(), q.k, q.lda};
        const Matrix<T> c{as<T>(q.result), q.m, q.n, q.ldc};
        work.reads("A", a);
        work.reads("tau", as<T>(q.factors), q.k);
        work.changes("C", c);
        work.uses(space, work_bytes<T>(q.m, q.n));
        work.writes("devInfo", info, 1);
        if (!work.ok()) return;
        multiply_by_q<T>(q.is_left(), q.trans != CUBLAS_OP_N, Owned<T>(a), as<T>(q.factors),
                         Local<T>(c));
        *info = 0;
      });
}

void check_square(Work& work, cublasFillMode_t uplo, std::int64_t n, std::int64_t lda) {
  work.fill_mode(uplo);
  work.size("n", n);
  work.leading_dimension("lda", lda, n);
}

char letter(cublasFillMode_t uplo) {
  return triangle_letter(uplo == CUBLAS_FILL_MODE_UPPER);
}

template <class T>
cusolverStatus_t sytrd(const char* function, const Context* handle, cublasFillMode_t uplo,
                       std::int64_t n, void* A, std::int64_t lda, void* d, void* e, void* factors,
                       WorkMemory space, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        check_square(work, uplo, n, lda);
        work.space(space, work_bytes<T>(n));
      },
      [=](Work& work) {
        using R = Real<T>;
        const Matrix<T> a = square_at<T>(A, n, lda);
        work.changes("A", a, uplo);
        work.writes("d", as<R>(d), n);
        work.writes("e", as<R>(e), n - 1);
        work.writes("tau", as<T>(factors), n - 1);
        work.uses(space, work_bytes<T>(n));
        work.writes("info", info, 1);
        if (!work.ok()) return;
        const Local<T> local(a);
        *info = lapack::run_with_work<T>(lapack::sytrd<T>, letter(uplo), n, local.data, local.ld,
                                         as<R>(d), as<R>(e), as<T>(factors));
      });
}

template <class T>
cusolverStatus_t orgtr(const char* function, const Context* handle, cublasFillMode_t uplo,
                       std::int64_t n, void* A, std::int64_t lda, const void* factors,
                       WorkMemory space, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        check_square(work, uplo, n, lda);
        work.space(space, work_bytes<T>(n));
      },
      [=](Work& work) {
        const Matrix<T> a = square_at<T>(A, n, lda);
        work.reads("A", a, uplo);
        work.writes("A", a);
        work.reads("tau", as<T>(factors), n - 1);
        work.uses(space, work_bytes<T>(n));
        work.writes("info", info, 1);
        if (!work.ok()) return;
        const Local<T> local(a);
        *info = lapack::run_with_work<T>(lapack::orgtr<T>, letter(uplo), n, local.data, local.ld,
                                         as<T>(factors));
      });
}
template <class T>
cusolverStatus_t ormtr(const char* function, const Context* handle, cublasFillMode_t uplo,
                       const OrthogonalProduct& q, WorkMemory space, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        work.fill_mode(uplo);
        q.check(work);
        q.check_operation<T>(work);
        work.space(space, work_bytes<T>(q.m, q.n));
      },
      [=](Work& work) {
        const Matrix<T> a = square_at<T>(q.values, q.order(), q.lda);
        const Matrix<T> c{as<T>(q.result), q.m, q.n, q.ldc};
        work.reads("A", a, uplo);
        work.reads("tau", as<T>(q.factors), q.order() - 1);
        work.changes("C", c);
        work.uses(space, work_bytes<T>(q.m, q.n));
        work.writes("info", info, 1);
        if (!work.ok()) return;
        const Owned<T> vectors(a);
        const Local<T> product(c);
        *info = lapack::run_with_work<T>(lapack::ormtr<T>, q.is_left() ? 'L' : 'R', letter(uplo),
                                         adjoint_letter<T>(q.trans != CUBLAS_OP_N), q.m, q.n,
                                         vectors.data, vectors.ld, as<T>(q.factors), product.data,
                                         product.ld);
      });
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

// The library looks at no sizes here, nor for orgqr.
CUSOLVER_ALL(geqrf_bufferSize, EMULATOR_CUSOLVER_GEQRF_BUFFER_SIZE,
             size_call(
                 __func__, handle, [](Work&) {}, lwork, work_elements(m, n)))
CUSOLVER_ALL(geqrf, EMULATOR_CUSOLVER_GEQRF,
             geqrf<T>(__func__, handle, m, n, A, lda, TAU, space_of<T>(Workspace, Lwork), devInfo))

#define GENERATED (OrthogonalMatrix{m, n, k, as<T>(A), lda, tau})
#define ORGQR_SIZE \
  (size_call(      \
      __func__, handle, [](Work&) {}, lwork, work_elements(m, n)))
#define ORGQR (orgqr<T>(__func__, handle, GENERATED, space_of<T>(work, lwork), info))
CUSOLVER_REAL(orgqr_bufferSize, EMULATOR_CUSOLVER_ORGQR_BUFFER_SIZE, ORGQR_SIZE)
CUSOLVER_COMPLEX(ungqr_bufferSize, EMULATOR_CUSOLVER_ORGQR_BUFFER_SIZE, ORGQR_SIZE)
CUSOLVER_REAL(orgqr, EMULATOR_CUSOLVER_ORGQR, ORGQR)
CUSOLVER_COMPLEX(ungqr, EMULATOR_CUSOLVER_ORGQR, ORGQR)

#define MULTIPLIED (OrthogonalProduct{side, trans, m, n, k, A, lda, tau, as<T>(C), ldc})
#define ORMQR_SIZE \
  size_call(       \
      __func__, handle, [&](Work& work) { MULTIPLIED.check(work); }, lwork, work_elements(m, n))
#define ORMQR (ormqr<T>(__func__, handle, MULTIPLIED, space_of<T>(work, lwork), devInfo))
CUSOLVER_REAL(ormqr_bufferSize, EMULATOR_CUSOLVER_ORMQR_BUFFER_SIZE, ORMQR_SIZE)
CUSOLVER_COMPLEX(unmqr_bufferSize, EMULATOR_CUSOLVER_ORMQR_BUFFER_SIZE, ORMQR_SIZE)
CUSOLVER_REAL(ormqr, EMULATOR_CUSOLVER_ORMQR, ORMQR)
CUSOLVER_COMPLEX(unmqr, EMULATOR_CUSOLVER_ORMQR, ORMQR)

#define SQUARE_SIZE                                                                   \
  size_call(                                                                          \
      __func__, handle, [&](Work& work) { check_square(work, uplo, n, lda); }, lwork, \
      work_elements(n))
#define SYTRD \
  (sytrd<T>(__func__, handle, uplo, n, A, lda, d, e, tau, space_of<T>(work, lwork), info))
CUSOLVER_REAL(sytrd_bufferSize, EMULATOR_CUSOLVER_SYTRD_BUFFER_SIZE, SQUARE_SIZE)
CUSOLVER_COMPLEX(hetrd_bufferSize, EMULATOR_CUSOLVER_SYTRD_BUFFER_SIZE, SQUARE_SIZE)
CUSOLVER_REAL(sytrd, EMULATOR_CUSOLVER_SYTRD, SYTRD)
CUSOLVER_COMPLEX(hetrd, EMULATOR_CUSOLVER_SYTRD, SYTRD)
#define ORGTR (orgtr<T>(__func__, handle, uplo, n, A, lda, tau, space_of<T>(work, lwork), info))
CUSOLVER_REAL(orgtr_bufferSize, EMULATOR_CUSOLVER_ORGTR_BUFFER_SIZE, SQUARE_SIZE)
CUSOLVER_COMPLEX(ungtr_bufferSize, EMULATOR_CUSOLVER_ORGTR_BUFFER_SIZE, SQUARE_SIZE)
CUSOLVER_REAL(orgtr, EMULATOR_CUSOLVER_ORGTR, ORGTR)
CUSOLVER_COMPLEX(ungtr, EMULATOR_CUSOLVER_ORGTR, ORGTR)
#define OF_TRIDIAGONAL (OrthogonalProduct{side, trans, m, n, 0, A, lda, tau, as<T>(C), ldc})
#define ORMTR_SIZE                  \
  size_call(                        \
      __func__, handle,             \
      [&](Work& work) {             \
        work.fill_mode(uplo);       \
        OF_TRIDIAGONAL.check(work); \
      },                            \
      lwork, work_elements(m, n))
#define ORMTR (ormtr<T>(__func__, handle, uplo, OF_TRIDIAGONAL, space_of<T>(work, lwork), info))
CUSOLVER_REAL(ormtr_bufferSize, EMULATOR_CUSOLVER_ORMTR_BUFFER_SIZE, ORMTR_SIZE)
CUSOLVER_COMPLEX(unmtr_bufferSize, EMULATOR_CUSOLVER_ORMTR_BUFFER_SIZE, ORMTR_SIZE)
CUSOLVER_REAL(ormtr, EMULATOR_CUSOLVER_ORMTR, ORMTR)
CUSOLVER_COMPLEX(unmtr, EMULATOR_CUSOLVER_ORMTR, ORMTR)

cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             std::int64_t m, std::int64_t n, cudaDataType dataTypeA,
                                             const void*, std::int64_t lda, cudaDataType,
                                             const void*, cudaDataType computeType,
                                             std::size_t* workspaceInBytesOnDevice,
                                             std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return geqrf_size(function, handle, m, n, lda, workspaceInBytesOnDevice, sizeof(zero));
  });
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t, std::int64_t m,
                                  std::int64_t n, cudaDataType dataTypeA, void* A, std::int64_t lda,
                                  cudaDataType, void* tau, cudaDataType computeType,
                                  void* bufferOnDevice, std::size_t workspaceInBytesOnDevice, void*,
                                  std::size_t, int* info) {
  const char* const function = __func__;
  return with_type(function, handle, dataTypeA, computeType, [&](auto zero) {
    return geqrf<decltype(zero)>(function, handle, m, n, A, lda, tau,
                                 bytes_at(bufferOnDevice, workspaceInBytesOnDevice), info);
  });
}
