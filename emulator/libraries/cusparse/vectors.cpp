/// \file
/// Sparse vectors beside dense ones.

#include "libraries/cusparse/calls.hpp"
#include "libraries/cusparse/work.hpp"

namespace emulator::cusparse {
namespace {

Indices indices_of(const cusparseSpVecDescr& v) {
  return {v.indices, v.index_type, v.base};
}
template <class T>
Strips<T> values_of(const cusparseSpVecDescr& v) {
  return {static_cast<T*>(v.values), v.nnz};
}
template <class T>
Strips<T> values_of(const cusparseDnVecDescr& v) {
  return {static_cast<T*>(v.values), v.size};
}

void check(Work& work, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y) {
  work.live("vecX", x);
  work.live("vecY", y);
  if (!work.ok()) return;
  work.require(x->size == y->size, "vecX and vecY are of different sizes");
  work.same_type(x->type, y->type, "vecY");
}

void reads_indices(Work& work, const cusparseSpVecDescr& x) {
  const Indices indices = indices_of(x);
  work.reads("vecX's indices", indices, x.nnz);
  for (std::int64_t k = 0; work.ok() && k < x.nnz; ++k) {
    if (indices[k] >= 0 && indices[k] < x.size) continue;
    work.refuse(CUSPARSE_STATUS_EXECUTION_FAILED,
                "vecX's index " + std::to_string(k) + " is " + std::to_string(indices[k] + x.base) +
                    ", outside a vector of " + std::to_string(x.size));
  }
}

// Checks, starts, and calls `use` with a 0 of the values' type.
template <class Use>
cusparseStatus_t run(const char* function, cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                     cusparseConstDnVecDescr_t y, Use use) {
  const QuietErrors quiet;
  Work work(function, handle);
  check(work, x, y);
  if (!work.starts()) return work.status();
  reads_indices(work, *x);
  if (!use_type(x->type, [&](auto zero) { use(work, zero); })) {
    work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "values of this type are not modelled");
  }
  return work.status();
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                         cusparseConstSpVecDescr_t vecX,
                                         cusparseConstDnVecDescr_t vecY, void*, cudaDataType type,
                                         std::size_t* bufferSize) {
  Work work(__func__, handle);
  check(work, vecX, vecY);
  work.require(bufferSize != nullptr, "bufferSize is a null pointer");
  if (work.ok()) work.same_type(type, vecX->type, "vecX");
  if (work.ok()) *bufferSize = 0;
  return work.status();
}

cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t opX,
                              cusparseConstSpVecDescr_t vecX, cusparseConstDnVecDescr_t vecY,
                              void* result, cudaDataType computeType, void*) {
  return run(__func__, handle, vecX, vecY, [&](Work& work, auto zero) {
    using T = decltype(zero);
    work.require(result != nullptr, "result is a null pointer");
    check_conjugates(work, "vecX", opX, vecX->type);
    work.same_type(computeType, vecX->type, "vecX");
    const Strips<T> x = values_of<T>(*vecX);
    const Strips<T> y = values_of<T>(*vecY);
    work.reads("vecX's values", x);
    work.reads("vecY", y);
    if (!work.ok()) return;
    T sum{};
    for (std::int64_t k = 0; k < vecX->nnz; ++k) {
      const T value =
          opX == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugated(x.data[k]) : x.data[k];
      sum += value * y.data[indices_of(*vecX)[k]];
    }
    work.result(static_cast<T*>(result), sum);
  });
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha,
                               cusparseConstSpVecDescr_t vecX, const void* beta,
                               cusparseDnVecDescr_t vecY) {
  return run(__func__, handle, vecX, vecY, [&](Work& work, auto zero) {
    using T = decltype(zero);
    const T a = work.factor<T>("alpha", alpha);
    const T b = work.factor<T>("beta", beta);
    const Strips<T> x = values_of<T>(*vecX);
    const Strips<T> y = values_of<T>(*vecY);
    work.reads("vecX's values", x);
    work.reads("vecY", y);
    work.writes("vecY", y);
    if (!work.ok()) return;
    for (std::int64_t i = 0; i < vecY->size; ++i) y.data[i] *= b;
    for (std::int64_t k = 0; k < vecX->nnz; ++k) {
      y.data[indices_of(*vecX)[k]] += a * x.data[k];
    }
  });
}

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t vecY,
                                cusparseSpVecDescr_t vecX) {
  return run(__func__, handle, vecX, vecY, [&](Work& work, auto zero) {
    using T = decltype(zero);
    const Strips<T> x = values_of<T>(*vecX);
    const Strips<T> y = values_of<T>(*vecY);
    work.reads("vecY", y);
    work.writes("vecX's values", x);
    if (!work.ok()) return;
    for (std::int64_t k = 0; k < vecX->nnz; ++k) x.data[k] = y.data[indices_of(*vecX)[k]];
  });
}

cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t vecX,
                                 cusparseDnVecDescr_t vecY) {
  return run(__func__, handle, vecX, vecY, [&](Work& work, auto zero) {
    using T = decltype(zero);
    const Strips<T> x = values_of<T>(*vecX);
    const Strips<T> y = values_of<T>(*vecY);
    work.reads("vecX's values", x);
    for (std::int64_t k = 0; work.ok() && k < vecX->nnz; ++k) {
      T* const to = y.data + indices_of(*vecX)[k];
      work.writes("vecY", Strips<T>{to, 1});
      if (work.ok()) *to = x.data[k];
    }
  });
}
