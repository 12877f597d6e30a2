/// \file
/// Factors of sparse matrices in steps: analysis, factors, solutions. Numbers are of the type that
/// the factors were made with; another one finds none.

#include "libraries/cusolver/sparse/steps.hpp"

namespace emulator::cusolver {
namespace {

template <class Info>
cusolverStatus_t analyse(const char* function, const Context* handle, const CsrMatrix& given,
                         Info* info) {
  return sparse_call(
      function, handle, given.where,
      [&](Work& work) {
        given.check(work);
        work.require(is_live(info), "info is not live");
      },
      [&](Work& work) {
        const Sparse<float> a = given.template read<float>(work);
        if (!work.ok()) return;
        info->forget();
        info->rows = given.rows;
        info->columns = given.columns;
        info->nnz = given.nnz;
      });
}
/// What all steps ask for after the analysis.
template <class Info>
void check_step(Work& work, const Info* info, std::int64_t rows, std::int64_t columns) {
  work.require(is_live(info), "info is not live");
  work.require(!is_live(info) || info->rows > 0, "info has not been through the analysis");
  if (!work.ok()) return;
  work.require(info->rows == rows && info->columns == columns,
               "the sizes are not those of the analysis");
}
template <class T>
std::size_t buffer_bytes(std::int64_t rows, std::int64_t columns) {
  return sizeof(T) * static_cast<std::size_t>(rows + columns);
}
template <class T, class Info>
cusolverStatus_t buffer_info(const char* function, const Context* handle, const CsrMatrix& given,
                             const Info* info, std::size_t* internal, std::size_t* buffer) {
  Work work(function, handle);
  given.check(work);
  check_step(work, info, given.rows, given.columns);
  work.require(internal != nullptr && buffer != nullptr, "a pointer to a size is null");
  if (!work.ok()) return work.status();
  *internal = sizeof(T) * static_cast<std::size_t>(given.nnz);
  *buffer = buffer_bytes<T>(given.rows, given.columns);
  return work.status();
}
inline void check_buffer(Work& work, MemorySpace where, const void* buffer) {
  if (where == MemorySpace::host) {
    work.on_host("pBuffer", buffer);
  } else {
    work.require(buffer != nullptr, "pBuffer is a null pointer");
  }
}
template <class T>
void use_buffer(Work& work, MemorySpace where, const StepInfo* info, const void* buffer) {
  if (where == MemorySpace::host) return;
  const auto bytes = static_cast<std::int64_t>(buffer_bytes<T>(info->rows, info->columns));
  work.uses({buffer, bytes}, bytes);
}

/// Makes the factors of a matrix in an order of its own.
template <class Factors, class Make>
void keep_factors(StepInfo* info, std::vector<int> order, Make make) {
  info->order = std::move(order);
  info->factors = std::make_shared<Factors>(make());
}

template <class T>
cusolverStatus_t factor_lu(const char* function, const Context* handle, const CsrMatrix& given,
                           csrluInfoHost_t info, double threshold, const void* buffer) {
  return sparse_call(
      function, handle, MemorySpace::host,
      [&](Work& work) {
        given.check(work);
        check_step(work, info, given.rows, given.columns);
        check_buffer(work, MemorySpace::host, buffer);
      },
      [&](Work& work) {
        const Sparse<T> a = given.read<T>(work);
        if (!work.ok()) return;
        keep_factors<SparseLu<T>>(info, order_of(a, 0), [&] { return SparseLu<T>(a, threshold); });
      });
}
template <class T>
cusolverStatus_t factor_cholesky(const char* function, const Context* handle,
                                 const CsrMatrix& given, StepInfo* info, const void* buffer) {
  return sparse_call(
      function, handle, given.where,
      [&](Work& work) {
        given.check(work);
        check_step(work, info, given.rows, given.columns);
        check_buffer(work, given.where, buffer);
      },
      [&](Work& work) {
        use_buffer<T>(work, given.where, info, buffer);
        const Sparse<T> a = given.read<T>(work);
        if (!work.ok()) return;
        keep_factors<SparseCholesky<T>>(info, order_of(a, 0), [&] { return SparseCholesky<T>(a); });
      });
}

template <class T>
cusolverStatus_t set_up(const char* function, const Context* handle, const CsrMatrix& given, T mu,
                        StepInfo* info) {
  return sparse_call(
      function, handle, given.where,
      [&](Work& work) {
        given.check(work);
        check_step(work, info, given.rows, given.columns);
      },
      [&](Work& work) {
        Sparse<T> a = given.read<T>(work);
        if (!work.ok()) return;
        for (int i = 0; i < std::min(a.count(), a.columns); ++i) {
          if (mu == T(0)) break;
          Row<T>& row = a.rows[at(i)];
          const auto found =
              std::find_if(row.begin(), row.end(), [&](const Entry<T>& e) { return e.index == i; });
          if (found != row.end()) {
            found->value -= mu;
          } else {
            row.push_back({i, -mu});
            sort_row(row);
          }
        }
        info->factors.reset();
        info->matrix = std::move(a);
      });
}

/// Solves by what an info holds. \return whether there was something
template <class T, class Factors>
void solve_by(Work& work, MemorySpace where, const StepInfo* info, const void* b, void* x) {
  const auto* const factors = factors_in<Factors>(info);
  work.require(factors != nullptr, "there are no factors of this type of numbers");
  if (!work.ok()) return;
  work.require(factors->can_solve(), "the matrix is not positive");
  const std::vector<T> sides = read_vector<T>(work, where, "b", b, info->rows);
  if (!work.ok()) return;
  const std::vector<T> y =
      factors->solve(info->order.size() == sides.size() ? chosen(sides, info->order) : sides);
  std::vector<T> result = y;
  for (std::size_t i = 0; i < y.size() && info->order.size() == y.size(); ++i) {
    result[at(info->order[i])] = y[i];
  }
  write_vector(work, where, "x", x, result);
}
template <class T, class Factors>
cusolverStatus_t solve(const char* function, const Context* handle, MemorySpace where,
                       std::int64_t rows, std::int64_t columns, const void* b, void* x,
                       const StepInfo* info, const void* buffer) {
  return sparse_call(
      function, handle, where,
      [&](Work& work) {
        check_step(work, info, rows, columns);
        check_buffer(work, where, buffer);
        work.require(b != nullptr && x != nullptr, "b or x is a null pointer");
      },
      [&](Work& work) {
        use_buffer<T>(work, where, info, buffer);
        solve_by<T, Factors>(work, where, info, b, x);
      });
}
template <class T>
cusolverStatus_t factor_qr(const char* function, const Context* handle, MemorySpace where,
                           std::int64_t rows, std::int64_t columns, const void* b, void* x,
                           StepInfo* info, const void* buffer) {
  return sparse_call(
      function, handle, where,
      [&](Work& work) {
        check_step(work, info, rows, columns);
        check_buffer(work, where, buffer);
        if (!work.ok()) return;
        work.require(std::any_cast<Sparse<T>>(&info->matrix) != nullptr,
                     "no matrix of this type of numbers has been set up");
      },
      [&](Work& work) {
        use_buffer<T>(work, where, info, buffer);
        if (!work.ok()) return;
        const auto& a = *std::any_cast<Sparse<T>>(&info->matrix);
        const bool is_square = rows == columns;
        std::vector<int> order = is_square ? order_for_rotations(a) : std::vector<int>{};
        keep_factors<SparseQr<T>>(
            info, order, [&] { return SparseQr<T>(is_square ? permuted(a, order, order) : a); });
        if (b != nullptr && x != nullptr) solve_by<T, SparseQr<T>>(work, where, info, b, x);
      });
}
template <class Factors>
cusolverStatus_t zero_pivot(const char* function, const Context* handle, const StepInfo* info,
                            double tolerance, int* position) {
  Work work(function, handle);
  work.require(is_live(info), "info is not live");
  work.on_host("position", position);
  if (!work.ok()) return work.status();
  const auto* const factors = factors_in<Factors>(info);
  work.require(factors != nullptr, "there are no factors of this type of numbers");
  if (!work.ok()) return work.status();
  const int found = factors->position(tolerance);
  *position = found >= 0 && !info->order.empty() ? info->order[at(found)] : found;
  return work.status();
}

template <class T>
cusolverStatus_t write_diagonal(const char* function, const Context* handle, const StepInfo* info,
                                void* diagonal) {
  return sparse_call(
      function, handle, MemorySpace::device,
      [&](Work& work) {
        work.require(is_live(info), "info is not live");
        work.require(diagonal != nullptr, "diag is a null pointer");
        if (!work.ok()) return;
        work.require(factors_in<SparseCholesky<T>>(info) != nullptr,
                     "there are no factors of this type of numbers");
      },
      [&](Work& work) {
        write_vector<Real<T>>(work, MemorySpace::device, "diag", diagonal,
                              factors_in<SparseCholesky<T>>(info)->diagonal());
      });
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

cusolverStatus_t cusolverSpCreateCsrluInfoHost(csrluInfoHost_t* info) {
  return made(info);
}
cusolverStatus_t cusolverSpDestroyCsrluInfoHost(csrluInfoHost_t info) {
  return destroyed(info);
}
cusolverStatus_t cusolverSpCreateCsrqrInfoHost(csrqrInfoHost_t* info) {
  return made(info);
}
cusolverStatus_t cusolverSpDestroyCsrqrInfoHost(csrqrInfoHost_t info) {
  return destroyed(info);
}
cusolverStatus_t cusolverSpCreateCsrcholInfoHost(csrcholInfoHost_t* info) {
  return made(info);
}
cusolverStatus_t cusolverSpDestroyCsrcholInfoHost(csrcholInfoHost_t info) {
  return destroyed(info);
}
cusolverStatus_t cusolverSpCreateCsrcholInfo(csrcholInfo_t* info) {
  return made(info);
}
cusolverStatus_t cusolverSpDestroyCsrcholInfo(csrcholInfo_t info) {
  return destroyed(info);
}
#define GIVEN(where, m, n, nnz) \
  (CsrMatrix{MemorySpace::where, m, n, nnz, descrA, csrValA, csrRowPtrA, csrColIndA})
#define ANALYSE(where, m)                                                                        \
  analyse(                                                                                       \
      __func__, handle,                                                                          \
      CsrMatrix{MemorySpace::where, m, n, nnzA, descrA, nullptr, csrRowPtrA, csrColIndA, false}, \
      info)
#define SP(name, PARAMETERS, ...) \
  CUSOLVER_SP_ALL(name, EMULATOR_CUSOLVER_SP_##PARAMETERS, __VA_ARGS__)
#define ZERO_PIVOT(Factors) \
  (zero_pivot<Factors>(__func__, handle, info, static_cast<double>(tol), position))

SP(csrluBufferInfoHost, CSRLU_BUFFER_INFO_HOST,
   buffer_info<T>(__func__, handle, GIVEN(host, n, n, nnzA), info, internalDataInBytes,
                  workspaceInBytes))
SP(csrluFactorHost, CSRLU_FACTOR_HOST,
   factor_lu<T>(__func__, handle, GIVEN(host, n, n, nnzA), info,
                static_cast<double>(pivot_threshold), pBuffer))
SP(csrluZeroPivotHost, CSRLU_ZERO_PIVOT_HOST, ZERO_PIVOT(SparseLu<T>))
SP(csrluSolveHost, CSRLU_SOLVE_HOST,
   solve<T, SparseLu<T>>(__func__, handle, MemorySpace::host, n, n, b, x, info, pBuffer))
#define QR_STEPS(suffix, SUFFIX, where)                                                    \
  SP(csrqrBufferInfo##suffix, CSRQR_BUFFER_INFO##SUFFIX,                                   \
     buffer_info<T>(__func__, handle, GIVEN(where, m, n, nnzA), info, internalDataInBytes, \
                    workspaceInBytes))                                                     \
  SP(csrqrSetup##suffix, CSRQR_SETUP##SUFFIX,                                              \
     set_up<T>(__func__, handle, GIVEN(where, m, n, nnzA), number<T>(mu), info))           \
  SP(csrqrFactor##suffix, CSRQR_FACTOR##SUFFIX,                                            \
     factor_qr<T>(__func__, handle, MemorySpace::where, m, n, b, x, info, pBuffer))        \
  SP(csrqrZeroPivot##suffix, CSRQR_ZERO_PIVOT##SUFFIX, ZERO_PIVOT(SparseQr<T>))            \
  SP(csrqrSolve##suffix, CSRQR_SOLVE##SUFFIX,                                              \
     solve<T, SparseQr<T>>(__func__, handle, MemorySpace::where, m, n, b, x, info, pBuffer))
QR_STEPS(Host, _HOST, host)
QR_STEPS(, , device)
#define CHOLESKY_STEPS(suffix, SUFFIX, where)                                              \
  SP(csrcholBufferInfo##suffix, CSRCHOL_BUFFER_INFO##SUFFIX,                               \
     buffer_info<T>(__func__, handle, GIVEN(where, n, n, nnzA), info, internalDataInBytes, \
                    workspaceInBytes))                                                     \
  SP(csrcholFactor##suffix, CSRCHOL_FACTOR##SUFFIX,                                        \
     factor_cholesky<T>(__func__, handle, GIVEN(where, n, n, nnzA), info, pBuffer))        \
  SP(csrcholZeroPivot##suffix, CSRCHOL_ZERO_PIVOT##SUFFIX, ZERO_PIVOT(SparseCholesky<T>))  \
  SP(csrcholSolve##suffix, CSRCHOL_SOLVE##SUFFIX,                                          \
     solve<T, SparseCholesky<T>>(__func__, handle, MemorySpace::where, n, n, b, x, info, pBuffer))
CHOLESKY_STEPS(Host, _HOST, host)
CHOLESKY_STEPS(, , device)
SP(csrcholDiag, CSRCHOL_DIAG, write_diagonal<T>(__func__, handle, info, diag))

cusolverStatus_t cusolverSpXcsrluAnalysisHost(cusolverSpHandle_t handle, int n, int nnzA,
                                              cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                              const int* csrColIndA, csrluInfoHost_t info) {
  return ANALYSE(host, n);
}
cusolverStatus_t cusolverSpXcsrqrAnalysisHost(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                              cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                              const int* csrColIndA, csrqrInfoHost_t info) {
  return ANALYSE(host, m);
}
cusolverStatus_t cusolverSpXcsrqrAnalysis(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                          cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                          const int* csrColIndA, csrqrInfo_t info) {
  return ANALYSE(device, m);
}
cusolverStatus_t cusolverSpXcsrcholAnalysisHost(cusolverSpHandle_t handle, int n, int nnzA,
                                                cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                                const int* csrColIndA, csrcholInfoHost_t info) {
  return ANALYSE(host, n);
}
cusolverStatus_t cusolverSpXcsrcholAnalysis(cusolverSpHandle_t handle, int n, int nnzA,
                                            cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                            const int* csrColIndA, csrcholInfo_t info) {
  return ANALYSE(device, n);
}
