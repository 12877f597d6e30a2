/// \file
/// cusolverRf: new factors of matrices whose pattern and pivots are known.

#include <cstdlib>

#include "libraries/cusolver/sparse/refactorisations.hpp"

namespace emulator::cusolver {
namespace {

std::vector<const double*> addresses_at(const double* const* addresses, int count) {
  if (addresses == nullptr || count < 0) return {};
  return {addresses, addresses + count};
}

std::vector<double*> sides_at(RfHandle handle, double* const* addresses) {
  if (!is_live(handle) || addresses == nullptr) return {};
  return {addresses, addresses + handle->batch.size()};
}

// Memory that the program frees.
template <class T>
T* handed_out(std::size_t count) {
  return static_cast<T*>(std::malloc(sizeof(T) * std::max<std::size_t>(count, 1)));
}
/// The elements of the factors that `is_wanted(row, column)`, with ones in L's diagonal if it is.
template <class Wanted>
void hand_out(RfHandle handle, bool ones, int* nnz, int** offsets, int** indices, double** values,
              Wanted is_wanted) {
  std::vector<int> starts{0};
  std::vector<int> columns;
  std::vector<double> numbers;
  for (int i = 0; i < handle->n; ++i) {
    const Row<double>& row = handle->pattern.rows[at(i)];
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (!is_wanted(i, row[k].index)) continue;
      columns.push_back(row[k].index);
      numbers.push_back(ones && row[k].index == i ? 1 : handle->batch[0].lu[at(i)][k]);
    }
    starts.push_back(static_cast<int>(columns.size()));
  }
  *nnz = static_cast<int>(columns.size());
  *offsets = handed_out<int>(starts.size());
  *indices = handed_out<int>(columns.size());
  *values = handed_out<double>(numbers.size());
  std::copy(starts.begin(), starts.end(), *offsets);
  std::copy(columns.begin(), columns.end(), *indices);
  std::copy(numbers.begin(), numbers.end(), *values);
}
cusolverStatus_t check_factors(const char* function, RfHandle handle,
                               std::initializer_list<const void*> results) {
  Work work(function, handle);
  if (work.ok() && !handle->has_factors) {
    work.refuse(CUSOLVER_STATUS_NOT_INITIALIZED, "there are no factors");
  }
  for (const void* const result : results) work.on_host("a result", result);
  return work.status();
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t* handle) {
  if (device_state() != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return made(handle);
}
cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle) {
  return destroyed(handle, CUSOLVER_STATUS_NOT_INITIALIZED);
}
cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diag) {
  set(handle, &cusolverRfCommon::format, format);
  return set(handle, &cusolverRfCommon::diagonal, diag);
}
cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t* format,
                                           cusolverRfUnitDiagonal_t* diag) {
  const cusolverStatus_t status = get(handle, &cusolverRfCommon::format, format);
  return status == CUSOLVER_STATUS_SUCCESS ? get(handle, &cusolverRfCommon::diagonal, diag)
                                           : status;
}
cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero,
                                                double boost) {
  set(handle, &cusolverRfCommon::zero, zero);
  return set(handle, &cusolverRfCommon::boost, boost);
}
cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double* zero,
                                                double* boost) {
  const cusolverStatus_t status = get(handle, &cusolverRfCommon::zero, zero);
  return status == CUSOLVER_STATUS_SUCCESS ? get(handle, &cusolverRfCommon::boost, boost) : status;
}
cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factAlg,
                                   cusolverRfTriangularSolve_t solveAlg) {
  set(handle, &cusolverRfCommon::factorization, factAlg);
  return set(handle, &cusolverRfCommon::solve, solveAlg);
}
cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t* factAlg,
                                   cusolverRfTriangularSolve_t* solveAlg) {
  const cusolverStatus_t status = get(handle, &cusolverRfCommon::factorization, factAlg);
  return status == CUSOLVER_STATUS_SUCCESS ? get(handle, &cusolverRfCommon::solve, solveAlg)
                                           : status;
}
cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle,
                                                 cusolverRfNumericBoostReport_t* report) {
  return get(handle, &cusolverRfCommon::report, report);
}
cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t* fastMode) {
  return get(handle, &cusolverRfCommon::fast, fastMode);
}
cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t fastMode) {
  return set(handle, &cusolverRfCommon::fast, fastMode);
}
cusolverStatus_t cusolverRfSetupHost(int n, int nnzA, int* h_csrRowPtrA, int* h_csrColIndA,
                                     double* h_csrValA, int nnzL, int* h_csrRowPtrL,
                                     int* h_csrColIndL, double*, int nnzU, int* h_csrRowPtrU,
                                     int* h_csrColIndU, double*, int* h_P, int* h_Q,
                                     cusolverRfHandle_t handle) {
  return set_up(__func__, handle,
                {MemorySpace::host,
                 n,
                 {nnzA, h_csrRowPtrA, h_csrColIndA, nullptr},
                 {nnzL, h_csrRowPtrL, h_csrColIndL, nullptr},
                 {nnzU, h_csrRowPtrU, h_csrColIndU, nullptr},
                 {h_csrValA},
                 h_P,
                 h_Q});
}
cusolverStatus_t cusolverRfSetupDevice(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                       double* csrValA, int nnzL, int* csrRowPtrL, int* csrColIndL,
                                       double*, int nnzU, int* csrRowPtrU, int* csrColIndU, double*,
                                       int* P, int* Q, cusolverRfHandle_t handle) {
  return set_up(__func__, handle,
                {MemorySpace::device,
                 n,
                 {nnzA, csrRowPtrA, csrColIndA, nullptr},
                 {nnzL, csrRowPtrL, csrColIndL, nullptr},
                 {nnzU, csrRowPtrU, csrColIndU, nullptr},
                 {csrValA},
                 P,
                 Q});
}
cusolverStatus_t cusolverRfBatchSetupHost(int batchSize, int n, int nnzA, int* h_csrRowPtrA,
                                          int* h_csrColIndA, double* h_csrValA_array[], int nnzL,
                                          int* h_csrRowPtrL, int* h_csrColIndL, double*, int nnzU,
                                          int* h_csrRowPtrU, int* h_csrColIndU, double*, int* h_P,
                                          int* h_Q, cusolverRfHandle_t handle) {
  return set_up(__func__, handle,
                {MemorySpace::host,
                 n,
                 {nnzA, h_csrRowPtrA, h_csrColIndA, nullptr},
                 {nnzL, h_csrRowPtrL, h_csrColIndL, nullptr},
                 {nnzU, h_csrRowPtrU, h_csrColIndU, nullptr},
                 addresses_at(h_csrValA_array, batchSize),
                 h_P,
                 h_Q});
}
cusolverStatus_t cusolverRfResetValues(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                       double* csrValA, int*, int*, cusolverRfHandle_t handle) {
  return reset(__func__, handle, n, {nnzA, csrRowPtrA, csrColIndA, nullptr}, {csrValA});
}
cusolverStatus_t cusolverRfBatchResetValues(int batchSize, int n, int nnzA, int* csrRowPtrA,
                                            int* csrColIndA, double* csrValA_array[], int*, int*,
                                            cusolverRfHandle_t handle) {
  return reset(__func__, handle, n, {nnzA, csrRowPtrA, csrColIndA, nullptr},
               addresses_at(csrValA_array, batchSize));
}
cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle) {
  return analyse(__func__, handle);
}
cusolverStatus_t cusolverRfBatchAnalyze(cusolverRfHandle_t handle) {
  return analyse(__func__, handle);
}
cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle) {
  return refactor(__func__, handle);
}
cusolverStatus_t cusolverRfBatchRefactor(cusolverRfHandle_t handle) {
  return refactor(__func__, handle);
}
cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int*, int*, int nrhs, double* Temp,
                                 int ldt, double* XF, int ldxf) {
  return solve(__func__, handle, nrhs, Temp, ldt, {XF}, ldxf);
}
cusolverStatus_t cusolverRfBatchSolve(cusolverRfHandle_t handle, int*, int*, int nrhs, double* Temp,
                                      int ldt, double* XF_array[], int ldxf) {
  return solve(__func__, handle, nrhs, Temp, ldt, sides_at(handle, XF_array), ldxf);
}
cusolverStatus_t cusolverRfBatchZeroPivot(cusolverRfHandle_t handle, int* position) {
  if (const auto status = check_factors(__func__, handle, {position});
      status != CUSOLVER_STATUS_SUCCESS)
    return status;
  bool is_singular = false;
  for (std::size_t k = 0; k < handle->batch.size(); ++k) {
    position[k] = handle->batch[k].zero_pivot;
    is_singular = is_singular || position[k] >= 0;
  }
  return is_singular ? CUSOLVER_STATUS_ZERO_PIVOT : CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int* h_nnzM,
                                                     int** h_Mp, int** h_Mi, double** h_Mx) {
  const auto status = check_factors(__func__, handle, {h_nnzM, h_Mp, h_Mi, h_Mx});
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  hand_out(handle, false, h_nnzM, h_Mp, h_Mi, h_Mx, [](int, int) { return true; });
  return status;
}
cusolverStatus_t cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int* h_nnzL,
                                                   int** h_csrRowPtrL, int** h_csrColIndL,
                                                   double** h_csrValL, int* h_nnzU,
                                                   int** h_csrRowPtrU, int** h_csrColIndU,
                                                   double** h_csrValU) {
  const auto status = check_factors(__func__, handle,
                                    {h_nnzL, h_csrRowPtrL, h_csrColIndL, h_csrValL, h_nnzU,
                                     h_csrRowPtrU, h_csrColIndU, h_csrValU});
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  hand_out(handle, true, h_nnzL, h_csrRowPtrL, h_csrColIndL, h_csrValL,
           [](int i, int j) { return j <= i; });
  hand_out(handle, false, h_nnzU, h_csrRowPtrU, h_csrColIndU, h_csrValU,
           [](int i, int j) { return j >= i; });
  return status;
}
