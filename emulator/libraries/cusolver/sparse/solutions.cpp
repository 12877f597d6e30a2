/// \file
/// Handles of the sparse part, and what it solves at once.

#include <cmath>
#include <numeric>

#include "libraries/cusolver/sparse/steps.hpp"

namespace emulator::cusolver {
namespace {

struct LinearSystem {  // A x = b
  CsrMatrix a;
  const void* b;
  double tolerance;
  int reorder;
  void* x;
  int* position;

  void check(Work& work) const {
    a.check(work);
    a.pointer(work, "b", b);
    a.pointer(work, "x", x);
    work.on_host("singularity", position);
    const bool has_order = reorder >= 0 && reorder <= 3;
    if (work.ok() && !has_order) *position = 0;  // as the library does
    work.require(has_order, "reorder is not one of 0 to 3");
  }
};

/// \param make  makes factors of a matrix
template <class T, class Make>
cusolverStatus_t solve(const char* function, const Context* handle, const LinearSystem& asked,
                       Make make, bool rotates = false) {
  return sparse_call(
      function, handle, asked.a.where, [&](Work& work) { asked.check(work); },
      [&](Work& work) {
        const Sparse<T> a = asked.a.template read<T>(work);
        const auto b = read_vector<T>(work, asked.a.where, "b", asked.b, asked.a.rows);
        if (!work.ok()) return;
        const bool own_order = rotates && asked.reorder == 0;
        const std::vector<int> order =
            own_order ? order_for_rotations(a) : order_of(a, asked.reorder);
        const auto factors = make(permuted(a, order, order));
        int position = factors.position(asked.tolerance);
        if (own_order && position >= 0) position = order[at(position)];
        if (factors.can_solve()) {
          std::vector<T> x(b.size());
          const std::vector<T> y = factors.solve(chosen(b, order));
          for (std::size_t i = 0; i < y.size(); ++i) x[at(order[i])] = y[i];
          write_vector(work, asked.a.where, "x", asked.x, x);
        }
        if (!work.ok()) return;
        work.host_waits();
        work.end();
        *asked.position = position;
      });
}
template <class T>
cusolverStatus_t solve_qr(const char* function, const Context* handle, const LinearSystem& asked) {
  return solve<T>(
      function, handle, asked, [](const Sparse<T>& a) { return SparseQr<T>(a); }, true);
}
template <class T>
cusolverStatus_t solve_cholesky(const char* function, const Context* handle,
                                const LinearSystem& asked) {
  return solve<T>(function, handle, asked, [](const Sparse<T>& a) { return SparseCholesky<T>(a); });
}
template <class T>
cusolverStatus_t solve_lu(const char* function, const Context* handle, const LinearSystem& asked) {
  return solve<T>(function, handle, asked, [](const Sparse<T>& a) { return SparseLu<T>(a, 1); });
}

template <class T>
cusolverStatus_t least_squares(const char* function, const Context* handle, const CsrMatrix& given,
                               const void* b, double tolerance, int* rank, void* x, int* p,
                               Real<T>* left) {
  return sparse_call(
      function, handle, MemorySpace::host,
      [&](Work& work) {
        given.check(work);
        work.require(given.rows >= given.columns, "m is less than n");
        work.require(tolerance >= 0, "tol is negative");
        for (const void* const pointer :
             {b, static_cast<const void*>(rank), static_cast<const void*>(x),
              static_cast<const void*>(p), static_cast<const void*>(left)}) {
          work.on_host("b, rankA, x, p or min_norm", pointer);
        }
      },
      [&](Work& work) {
        const Sparse<T> a = given.read<T>(work);
        if (!work.ok()) return;
        const std::vector<T> sides(as<T>(b), as<T>(b) + given.rows);
        const SparseQr<T> factors(a);
        *rank = factors.rank(tolerance);
        std::vector<T> solution = factors.solve(sides, tolerance);
        if (*rank < given.columns) solution = factors.shortest(solution, tolerance);
        std::vector<T> rest = a.times(solution);
        for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= sides[i];
        write_vector(work, MemorySpace::host, "x", x, solution);
        std::iota(p, p + given.columns, 0);
        *left = norm(given.rows, rest.data());
      });
}

/// (A - mu0 I)^-1 x, again and again.
template <class T>
cusolverStatus_t nearest_eigenvalue(const char* function, const Context* handle,
                                    const CsrMatrix& given, T near, const void* start, int most,
                                    double tolerance, void* mu, void* x) {
  return sparse_call(
      function, handle, given.where,
      [&](Work& work) {
        given.check(work);
        work.require(tolerance >= 0, "the tolerance is negative");
        work.require(most >= 0, "maxite is negative");
        given.pointer(work, "x0", start);
        given.pointer(work, "mu", mu);
        given.pointer(work, "x", x);
      },
      [&](Work& work) {
        const Sparse<T> a = given.read<T>(work);
        std::vector<T> vector = read_vector<T>(work, given.where, "x0", start, given.rows);
        if (!work.ok()) return;
        Sparse<T> shifted = a;
        for (int i = 0; i < a.count(); ++i) {
          Row<T>& row = shifted.rows[at(i)];
          const auto found =
              std::find_if(row.begin(), row.end(), [&](const Entry<T>& e) { return e.index == i; });
          if (found != row.end()) {
            found->value -= near;
          } else {
            row.push_back({i, -near});
            sort_row(row);
          }
        }
        const std::vector<int> order = order_for_rotations(shifted);
        const SparseQr<T> factors(permuted(shifted, order, order));
        const auto shrink = [&] {
          const Real<T> length = norm(given.rows, vector.data());
          for (T& element : vector) element /= length == 0 ? 1 : length;
        };
        shrink();
        T value = near;
        for (int step = 0; step <= most; ++step) {
          const std::vector<T> image = a.times(vector);
          value = dot(given.rows, vector.data(), image.data());
          Real<T> left = 0;
          for (std::size_t i = 0; i < image.size(); ++i) {
            left = std::hypot(left, std::abs(image[i] - value * vector[i]));
          }
          if (left < tolerance || step == most) break;
          const std::vector<T> next = factors.solve(chosen(vector, order));
          for (std::size_t i = 0; i < next.size(); ++i) vector[at(order[i])] = next[i];
          shrink();
        }
        write_vector(work, given.where, "x", x, vector);
        write_vector(work, given.where, "mu", mu, std::vector<T>{value});
      });
}
}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle) {
  if (device_state() != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return made(handle);
}
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) {
  return destroyed(handle, CUSOLVER_STATUS_NOT_INITIALIZED);
}
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t streamId) {
  return set(handle, &cusolverSpContext::stream, streamId);
}
cusolverStatus_t cusolverSpGetStream(cusolverSpHandle_t handle, cudaStream_t* streamId) {
  return get(handle, &cusolverSpContext::stream, streamId);
}

#define ASKED(where, n, nnz, val, row, col)                                         \
  (LinearSystem{CsrMatrix{MemorySpace::where, n, n, nnz, descrA, val, row, col}, b, \
                static_cast<double>(tol), reorder, as<T>(x), singularity})
CUSOLVER_SP_ALL(csrlsvqr, EMULATOR_CUSOLVER_SP_CSRLSVQR,
                solve_qr<T>(__func__, handle, ASKED(device, m, nnz, csrVal, csrRowPtr, csrColInd)))
CUSOLVER_SP_ALL(csrlsvqrHost, EMULATOR_CUSOLVER_SP_CSRLSVQR_HOST,
                solve_qr<T>(__func__, handle, ASKED(host, m, nnz, csrValA, csrRowPtrA, csrColIndA)))
CUSOLVER_SP_ALL(csrlsvchol, EMULATOR_CUSOLVER_SP_CSRLSVCHOL,
                solve_cholesky<T>(__func__, handle,
                                  ASKED(device, m, nnz, csrVal, csrRowPtr, csrColInd)))
CUSOLVER_SP_ALL(csrlsvcholHost, EMULATOR_CUSOLVER_SP_CSRLSVCHOL_HOST,
                solve_cholesky<T>(__func__, handle,
                                  ASKED(host, m, nnz, csrVal, csrRowPtr, csrColInd)))
CUSOLVER_SP_ALL(csrlsvluHost, EMULATOR_CUSOLVER_SP_CSRLSVLU_HOST,
                solve_lu<T>(__func__, handle,
                            ASKED(host, n, nnzA, csrValA, csrRowPtrA, csrColIndA)))
CUSOLVER_SP_ALL(csrlsqvqrHost, EMULATOR_CUSOLVER_SP_CSRLSQVQR_HOST,
                least_squares<T>(__func__, handle,
                                 CsrMatrix{MemorySpace::host, m, n, nnz, descrA, csrValA,
                                           csrRowPtrA, csrColIndA},
                                 b, static_cast<double>(tol), rankA, x, p, min_norm))
#define NEAREST(where, tolerance)                                                        \
  nearest_eigenvalue<T>(                                                                 \
      __func__, handle,                                                                  \
      CsrMatrix{MemorySpace::where, m, m, nnz, descrA, csrValA, csrRowPtrA, csrColIndA}, \
      number<T>(mu0), x0, maxite, static_cast<double>(tolerance), mu, x)
CUSOLVER_SP_ALL(csreigvsi, EMULATOR_CUSOLVER_SP_CSREIGVSI, NEAREST(device, eps))
CUSOLVER_SP_ALL(csreigvsiHost, EMULATOR_CUSOLVER_SP_CSREIGVSI_HOST, NEAREST(host, tol))
