#pragma once
/// \file
/// Sparse matrices as programs give them to cuSOLVER, on the host or in the memory of the device.

#include "cusolverSp.h"
#include "libraries/cusolver/sparse/orders.hpp"
#include "libraries/cusolver/work.hpp"
#include "libraries/cusparse/descriptors.hpp"

struct cusolverSpContext : emulator::cusolver::Context {};

namespace emulator::cusolver {

enum class MemorySpace { device, host };

/// Arrays that are read on the host are in its memory.
struct CsrMatrix {
  MemorySpace where;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t nnz;
  cusparseMatDescr_t descriptor;
  const void* values;  // null for a pattern
  const int* offsets;
  const int* indices;
  bool has_values = true;

  int base() const {
    return cusparseGetMatIndexBase(descriptor) == CUSPARSE_INDEX_BASE_ONE ? 1 : 0;
  }
  void check(Work& work) const {
    work.require(rows > 0 && columns > 0, "a size is not positive");
    work.require(nnz > 0, "nnz is not positive");
    work.require(cusparse::is_live(descriptor), "descrA is not live");
    if (work.ok() && cusparseGetMatType(descriptor) != CUSPARSE_MATRIX_TYPE_GENERAL) {
      work.refuse(CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
                  "descrA is not of CUSPARSE_MATRIX_TYPE_GENERAL");
    }
    if (has_values) pointer(work, "csrValA", values);
    pointer(work, "csrRowPtrA", offsets);
    pointer(work, "csrColIndA", indices);
  }
  void pointer(Work& work, const char* name, const void* data) const {
    if (where == MemorySpace::host) return work.on_host(name, data);
    work.require(data != nullptr, std::string(name) + " is a null pointer");
  }
  /// With its values, or with ones in their place.
  template <class T>
  Sparse<T> read(Work& work) const {
    if (where == MemorySpace::device) {
      work.reads("csrRowPtrA", offsets, rows + 1);
      work.reads("csrColIndA", indices, nnz);
      if (has_values) work.reads("csrValA", as<T>(values), nnz);
    }
    Sparse<T> a{static_cast<int>(columns), {}};
    const auto fails = [&](const std::string& why) {
      work.refuse(where == MemorySpace::host ? CUSOLVER_STATUS_INVALID_VALUE
                                             : CUSOLVER_STATUS_EXECUTION_FAILED,
                  why);
    };
    for (std::int64_t i = 0; i < rows && work.ok(); ++i) {
      const std::int64_t first = offsets[i] - base();
      const std::int64_t last = offsets[i + 1] - base();
      if (first < 0 || first > last || last > nnz) {
        fails("csrRowPtrA[" + std::to_string(i) + "] and the next one are " +
              std::to_string(offsets[i]) + " and " + std::to_string(offsets[i + 1]) +
              ": they must ascend, up to nnz");
        break;
      }
      Row<T>& row = a.rows.emplace_back();
      for (std::int64_t k = first; k < last; ++k) {
        const int column = indices[k] - base();
        if (column < 0 || column >= columns) {
          fails("csrColIndA[" + std::to_string(k) + "] is " + std::to_string(indices[k]) +
                ", no column of " + std::to_string(columns));
          break;
        }
        row.push_back({column, has_values ? as<T>(values)[k] : T(1)});
      }
      sort_row(row);
    }
    return a;
  }
};

/// A vector of the program's.
template <class T>
std::vector<T> read_vector(Work& work, MemorySpace where, const char* name, const void* data,
                           std::int64_t count) {
  if (where == MemorySpace::device) work.reads(name, as<T>(data), count);
  if (!work.ok()) return {};
  return {as<T>(data), as<T>(data) + count};
}
template <class T>
void write_vector(Work& work, MemorySpace where, const char* name, void* data,
                  const std::vector<T>& values) {
  if (where == MemorySpace::device) {
    work.writes(name, as<T>(data), static_cast<std::int64_t>(values.size()));
  }
  if (work.ok()) std::copy(values.begin(), values.end(), as<T>(data));
}
template <class T>
std::vector<T> chosen(const std::vector<T>& values, const std::vector<int>& order) {
  std::vector<T> result;
  for (const int i : order) result.push_back(values[at(i)]);
  return result;
}

/// Checks, and does the work; what has its arrays on the host does it at once.
template <class Check, class Body>
cusolverStatus_t sparse_call(const char* function, const Context* handle, MemorySpace where,
                             const Check& check, const Body& body) {
  if (where == MemorySpace::device) return call_now(function, handle, check, body);
  Work work(function, handle);
  check(work);
  if (work.ok()) body(work);
  return work.status();
}

}  // namespace emulator::cusolver

/// The functions of one name for all types of numbers, T and R.
#define CUSOLVER_SP_ONE(name, Parameters, Type, ...) \
  cusolverStatus_t name Parameters {                 \
    using T = Type;                                  \
    return __VA_ARGS__;                              \
  }
#define CUSOLVER_SP_ALL(name, PARAMETERS, ...)                                                  \
  CUSOLVER_SP_ONE(cusolverSpS##name, PARAMETERS(float, float), float, __VA_ARGS__)              \
  CUSOLVER_SP_ONE(cusolverSpD##name, PARAMETERS(double, double), double, __VA_ARGS__)           \
  CUSOLVER_SP_ONE(cusolverSpC##name, PARAMETERS(cuComplex, float), std::complex<float>,         \
                  __VA_ARGS__)                                                                  \
  CUSOLVER_SP_ONE(cusolverSpZ##name, PARAMETERS(cuDoubleComplex, double), std::complex<double>, \
                  __VA_ARGS__)
