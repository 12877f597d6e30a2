/// \file
/// L and U of a sparse matrix, handed out on the host.

#include <numeric>

#include "libraries/cusolver/sparse/steps.hpp"

namespace emulator::cusolver {
namespace {

// Columns of a factor, by rows.
template <class T>
Sparse<T> by_rows(const std::vector<Row<T>>& columns) {
  return transposed(Sparse<T>{static_cast<int>(columns.size()), columns});
}
template <class T>
void write_factor(const Sparse<T>& factor, int base, void* values, int* offsets, int* indices) {
  int next = 0;
  for (int i = 0; i < factor.count(); ++i) {
    offsets[i] = next + base;
    for (const Entry<T>& entry : factor.rows[at(i)]) {
      as<T>(values)[next] = entry.value;
      indices[next++] = entry.index + base;
    }
  }
  offsets[factor.count()] = next + base;
}
struct FactorArrays {  // where one factor goes
  cusparseMatDescr_t descriptor;
  void* values;
  int* offsets;
  int* indices;

  void check(Work& work) const {
    work.require(cusparse::is_live(descriptor), "a descriptor is not live");
    for (const void* const pointer :
         {static_cast<const void*>(values), static_cast<const void*>(offsets),
          static_cast<const void*>(indices)}) {
      work.on_host("an array of a factor", pointer);
    }
  }
  int base() const {
    return cusparseGetMatIndexBase(descriptor) == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
  }
};
template <class T>
cusolverStatus_t extract(const char* function, const Context* handle, int* p, int* q,
                         const FactorArrays& l, const FactorArrays& u, const StepInfo* info) {
  Work work(function, handle);
  work.require(is_live(info), "info is not live");
  work.on_host("P", p);
  work.on_host("Q", q);
  l.check(work);
  u.check(work);
  if (!work.ok()) return work.status();
  const auto* const factors = factors_in<SparseLu<T>>(info);
  work.require(factors != nullptr, "there are no factors of this type of numbers");
  if (!work.ok()) return work.status();
  std::copy(factors->rows().begin(), factors->rows().end(), p);
  std::iota(q, q + factors->rows().size(), 0);
  write_factor(by_rows(factors->lower()), l.base(), l.values, l.offsets, l.indices);
  write_factor(by_rows(factors->upper()), u.base(), u.values, u.offsets, u.indices);
  return work.status();
}
template <class T>
bool count_elements(const StepInfo* info, int* lower, int* upper) {
  const auto* const factors = factors_in<SparseLu<T>>(info);
  if (factors == nullptr) return false;
  *lower = 0;
  *upper = 0;
  for (const Row<T>& column : factors->lower()) *lower += static_cast<int>(column.size());
  for (const Row<T>& column : factors->upper()) *upper += static_cast<int>(column.size());
  return true;
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

cusolverStatus_t cusolverSpXcsrluNnzHost(cusolverSpHandle_t handle, int* nnzLRef, int* nnzURef,
                                         csrluInfoHost_t info) {
  Work work(__func__, handle);
  work.require(is_live(info), "info is not live");
  work.on_host("nnzLRef", nnzLRef);
  work.on_host("nnzURef", nnzURef);
  if (!work.ok()) return work.status();
  work.require(count_elements<float>(info, nnzLRef, nnzURef) ||
                   count_elements<double>(info, nnzLRef, nnzURef) ||
                   count_elements<std::complex<float>>(info, nnzLRef, nnzURef) ||
                   count_elements<std::complex<double>>(info, nnzLRef, nnzURef),
               "there are no factors");
  return work.status();
}

CUSOLVER_SP_ALL(csrluExtractHost, EMULATOR_CUSOLVER_SP_CSRLU_EXTRACT_HOST,
                extract<T>(__func__, handle, P, Q,
                           FactorArrays{descrL, csrValL, csrRowPtrL, csrColIndL},
                           FactorArrays{descrU, csrValU, csrRowPtrU, csrColIndU}, info))
