/// \file
/// Matrices of two diagonals, and the orthogonal ones beside them.

#include "libraries/cusolver/dense/lapack.hpp"
#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

/// A = Q B P^H, for at least as many rows as columns.
struct Bidiagonal {
  std::int64_t m, n;
  void* A;
  std::int64_t lda;
  void* d;
  void* e;
  void* tau_q;
  void* tau_p;
  void check(Work& work) const {
    work.size("m", m, -1);
    work.size("n", n, -2);
    work.leading_dimension("lda", lda, m, -4);
    if (m < n) work.refuse(CUSOLVER_STATUS_NOT_SUPPORTED, "m is less than n", 0);
    work.require(n > 0, "n is 0: a GPU's host would abort");
  }
};
template <class T>
cusolverStatus_t gebrd(const char* function, const Context* handle, const Bidiagonal& b,
                       const void* space, int* info) {
  return call(
      function, handle,
      [=](Work& work) {
        b.check(work);
        work.require(space != nullptr, "the work is a null pointer", 0);
      },
      [=](Work& work) {
        using R = Real<T>;
        const Matrix<T> a{as<T>(b.A), b.m, b.n, b.lda};
        work.changes("A", a);
        work.writes("D", as<R>(b.d), b.n);
        work.writes("E", as<R>(b.e), b.n - 1);
        work.writes("TAUQ", as<T>(b.tau_q), b.n);
        work.writes("TAUP", as<T>(b.tau_p), b.n);
        work.uses({space, work_bytes<T>(b.m, b.n)}, work_bytes<T>(b.m, b.n));
        work.writes("devInfo", info, 1);
        if (!work.ok()) return;
        const Local<T> local(a);
        *info = lapack::run_with_work<T>(lapack::gebrd<T>, b.m, b.n, local.data, local.ld,
                                         as<R>(b.d), as<R>(b.e), as<T>(b.tau_q), as<T>(b.tau_p));
      },
      info);
}

/// The first columns of Q, or rows of P^H.
struct OrthogonalFactor {
  cublasSideMode_t side;
  std::int64_t m, n, k;
  void* values;
  std::int64_t lda;
  const void* factors;

  bool is_q() const { return side == CUBLAS_SIDE_LEFT; }
  std::int64_t order() const { return is_q() ? m : n; }
  std::int64_t count() const { return is_q() ? n : m; }
  /// As many reflections there are: of Q's and P's rows the last one may have none.
  std::int64_t reflections() const {
    const bool has_one_less = k >= order() && (!is_q() || k > order());
    return has_one_less ? std::max<std::int64_t>(order() - 1, 0) : k;
  }
  void check(Work& work) const {
    work.side(side, -1);
    work.size("m", m, -2);
    work.size("n", n, -3);
    work.size("k", k, -4);
    work.require(count() <= order() && count() >= std::min(order(), k), "m, n and k do not match",
                 -3);
    work.leading_dimension("lda", lda, m, -6);
  }
};
template <class T>
cusolverStatus_t orgbr(const char* function, const Context* handle, const OrthogonalFactor& g,
                       const void* space, int* info) {
  return call(
      function, handle, [=](Work& work) { g.check(work); },
      [=](Work& work) {
        const Matrix<T> a{as<T>(g.values), g.m, g.n, g.lda};
        work.changes("A", a);
        work.reads("tau", as<T>(g.factors), g.reflections());
        work.uses({space, work_bytes<T>(g.m, g.n)}, work_bytes<T>(g.m, g.n));
        work.writes("info", info, 1);
        if (!work.ok()) return;
        const Local<T> local(a);
        *info = lapack::run_with_work<T>(lapack::orgbr<T>, g.is_q() ? 'Q' : 'P', g.m, g.n, g.k,
                                         local.data, local.ld, as<T>(g.factors));
      },
      info);
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

CUSOLVER_ALL(gebrd_bufferSize, EMULATOR_CUSOLVER_GEBRD_BUFFER_SIZE,
             size_call(
                 __func__, handle, [&](Work& work) { work.size("m", m); }, Lwork,
                 work_elements(m, n)))
CUSOLVER_ALL(gebrd, EMULATOR_CUSOLVER_GEBRD,
             gebrd<T>(__func__, handle, Bidiagonal{m, n, A, lda, D, E, TAUQ, TAUP}, Work, devInfo))

// The library looks at no sizes here.
#define ORGBR_SIZE \
  (size_call(      \
      __func__, handle, [](Work&) {}, lwork, work_elements(m, n)))
#define ORGBR \
  (orgbr<T>(__func__, handle, OrthogonalFactor{side, m, n, k, as<T>(A), lda, tau}, work, info))
CUSOLVER_REAL(orgbr_bufferSize, EMULATOR_CUSOLVER_ORGBR_BUFFER_SIZE, ORGBR_SIZE)
CUSOLVER_COMPLEX(ungbr_bufferSize, EMULATOR_CUSOLVER_ORGBR_BUFFER_SIZE, ORGBR_SIZE)
CUSOLVER_REAL(orgbr, EMULATOR_CUSOLVER_ORGBR, ORGBR)
CUSOLVER_COMPLEX(ungbr, EMULATOR_CUSOLVER_ORGBR, ORGBR)
