/// \file
/// Many sparse systems of one pattern, by Q and R.

#include "libraries/cusolver/sparse/steps.hpp"

namespace emulator::cusolver {
namespace {

template <class T>
cusolverStatus_t solve_many(const char* function, const Context* handle, const CsrMatrix& given,
                            const void* b, void* x, std::int64_t count, const csrqrInfo* info,
                            const void* buffer) {
  const auto bytes = static_cast<std::int64_t>(sizeof(T)) * count * (given.rows + given.columns);
  return sparse_call(
      function, handle, MemorySpace::device,
      [&](Work& work) {
        given.check(work);
        work.require(given.rows >= given.columns, "m is less than n");
        work.require(count > 0, "batchSize is not positive");
        work.require(is_live(info), "info is not live");
        work.require(!is_live(info) || info->rows > 0, "info has not been through the analysis");
        work.require(b != nullptr && x != nullptr && buffer != nullptr,
                     "b, x or pBuffer is a null pointer");
      },
      [&](Work& work) {
        work.uses({buffer, bytes}, bytes);
        for (std::int64_t i = 0; i < count && work.ok(); ++i) {
          CsrMatrix one = given;
          one.values = as<T>(given.values) + i * given.nnz;
          const Sparse<T> a = one.read<T>(work);
          const std::vector<T> sides =
              read_vector<T>(work, MemorySpace::device, "b", as<T>(b) + i * given.rows, given.rows);
          if (!work.ok()) return;
          write_vector(work, MemorySpace::device, "x", as<T>(x) + i * given.columns,
                       SparseQr<T>(a).solve(sides));
        }
      });
}
template <class T>
cusolverStatus_t buffer_info(const char* function, const Context* handle, const CsrMatrix& given,
                             std::int64_t count, const csrqrInfo* info, std::size_t* internal,
                             std::size_t* buffer) {
  Work work(function, handle);
  given.check(work);
  work.require(count > 0, "batchSize is not positive");
  work.require(is_live(info), "info is not live");
  work.require(!is_live(info) || info->rows > 0, "info has not been through the analysis");
  work.require(internal != nullptr && buffer != nullptr, "a pointer to a size is null");
  if (!work.ok()) return work.status();
  *internal = sizeof(T) * at(given.nnz * count);
  *buffer = sizeof(T) * at(count * (given.rows + given.columns));
  return work.status();
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

cusolverStatus_t cusolverSpCreateCsrqrInfo(csrqrInfo_t* info) {
  return made(info);
}
cusolverStatus_t cusolverSpDestroyCsrqrInfo(csrqrInfo_t info) {
  return destroyed(info);
}
cusolverStatus_t cusolverSpXcsrqrAnalysisBatched(cusolverSpHandle_t handle, int m, int n, int nnzA,
                                                 cusparseMatDescr_t descrA, const int* csrRowPtrA,
                                                 const int* csrColIndA, csrqrInfo_t info) {
  return cusolverSpXcsrqrAnalysis(handle, m, n, nnzA, descrA, csrRowPtrA, csrColIndA, info);
}
CUSOLVER_SP_ALL(csrqrBufferInfoBatched, EMULATOR_CUSOLVER_SP_CSRQR_BUFFER_INFO_BATCHED,
                buffer_info<T>(__func__, handle,
                               CsrMatrix{MemorySpace::device, m, n, nnz, descrA, csrVal, csrRowPtr,
                                         csrColInd},
                               batchSize, info, internalDataInBytes, workspaceInBytes))
CUSOLVER_SP_ALL(csrqrsvBatched, EMULATOR_CUSOLVER_SP_CSRQRSV_BATCHED,
                solve_many<T>(__func__, handle,
                              CsrMatrix{MemorySpace::device, m, n, nnz, descrA, csrValA, csrRowPtrA,
                                        csrColIndA},
                              b, x, batchSize, info, pBuffer))
