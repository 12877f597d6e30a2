/// \file
/// Sparse matrices from dense ones, and back.

#include "libraries/cusparse/work.hpp"

namespace emulator::cusparse {
namespace {

void check(Work& work, cusparseConstSpMatDescr_t sparse, cusparseConstDnMatDescr_t dense,
           const char* name_of_sparse, const char* name_of_dense) {
  work.live(name_of_sparse, sparse);
  work.live(name_of_dense, dense);
  if (!work.ok()) return;
  work.require(sparse->rows == dense->rows && sparse->columns == dense->columns,
               "matA and matB are of different sizes");
  work.same_type(sparse->type, dense->type, name_of_dense);
}

template <class Use>
cusparseStatus_t run(const char* function, cusparseHandle_t handle, bool from_sparse,
                     cusparseConstSpMatDescr_t sparse, cusparseConstDnMatDescr_t dense, Use use) {
  const QuietErrors quiet;
  Work work(function, handle);
  check(work, sparse, dense, from_sparse ? "matA" : "matB", from_sparse ? "matB" : "matA");
  if (!work.starts()) return work.status();
  if (!use_type(sparse->type, [&](auto zero) { use(work, zero); })) {
    work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "values of this type are not modelled");
  }
  return work.status();
}

cusparseStatus_t size_of(const char* function, cusparseHandle_t handle, bool from_sparse,
                         cusparseConstSpMatDescr_t sparse, cusparseConstDnMatDescr_t dense,
                         std::size_t* size) {
  Work work(function, handle);
  check(work, sparse, dense, from_sparse ? "matA" : "matB", from_sparse ? "matB" : "matA");
  work.require(size != nullptr, "bufferSize is a null pointer");
  if (work.ok()) *size = 0;
  return work.status();
}

// Calls `use` with the row, the column and the value of each element that is not 0, in the order
// of the format, and `end_of` after each row, or column.
template <class T, class Use, class End>
void for_elements(const cusparseDnMatDescr& m, bool by_rows, Use use, End end_of) {
  const Dense<T> elements(m);
  for (std::int64_t i = 0; i < (by_rows ? m.rows : m.columns); ++i) {
    for (std::int64_t j = 0; j < (by_rows ? m.columns : m.rows); ++j) {
      const T value = by_rows ? elements(i, j) : elements(j, i);
      if (value != T{}) use(i, j, value);
    }
    end_of(i);
  }
}

// Whether the matrix is in blocked ELL, whose columns are given. Other formats of blocks cuSPARSE
// does not convert to.
bool check_new_format(Work& work, const cusparseSpMatDescr& m) {
  if (m.format == CUSPARSE_FORMAT_BSR || m.format == CUSPARSE_FORMAT_SLICED_ELLPACK) {
    work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "matB should be in CSR, CSC, COO or blocked ELL");
  }
  return m.format == CUSPARSE_FORMAT_BLOCKED_ELL;
}

template <class T>
void fill_blocks(Work& work, const cusparseDnMatDescr& dense, const cusparseSpMatDescr& sparse) {
  work.reads_pattern("matB", sparse);
  const Strips<T> values{static_cast<T*>(sparse.values), sparse.nnz};
  work.writes("matB's values", values);
  if (!work.ok()) return;
  for (std::int64_t k = 0; k < sparse.nnz; ++k) values.data[k] = T{};
  const Dense<T> elements(dense);
  for_entries(sparse, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    values.data[k] = elements(i, j);
  });
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstSpMatDescr_t matA,
                                                  cusparseDnMatDescr_t matB,
                                                  cusparseSparseToDenseAlg_t,
                                                  std::size_t* bufferSize) {
  return size_of(__func__, handle, true, matA, matB, bufferSize);
}

cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t matA,
                                       cusparseDnMatDescr_t matB, cusparseSparseToDenseAlg_t,
                                       void*) {
  return run(__func__, handle, true, matA, matB, [&](Work& work, auto zero) {
    using T = decltype(zero);
    work.reads_matrix<T>("matA", *matA);
    work.writes("matB", strips_of<T>(*matB));
    if (!work.ok()) return;
    const Dense<T> dense(*matB);
    for (std::int64_t i = 0; i < matB->rows; ++i) {
      for (std::int64_t j = 0; j < matB->columns; ++j) dense(i, j) = T{};
    }
    for_entries(*matA, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
      dense(i, j) = static_cast<const T*>(matA->values)[k];
    });
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle,
                                                  cusparseConstDnMatDescr_t matA,
                                                  cusparseSpMatDescr_t matB,
                                                  cusparseDenseToSparseAlg_t,
                                                  std::size_t* bufferSize) {
  return size_of(__func__, handle, false, matB, matA, bufferSize);
}

cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle,
                                                cusparseConstDnMatDescr_t matA,
                                                cusparseSpMatDescr_t matB,
                                                cusparseDenseToSparseAlg_t, void*) {
  return run(__func__, handle, false, matB, matA, [&](Work& work, auto zero) {
    using T = decltype(zero);
    work.reads("matA", strips_of<T>(*matA));
    if (work.ok()) matB->is_analysed = true;
    if (check_new_format(work, *matB)) return;  // which says itself where there are elements
    const bool has_offsets = matB->format != CUSPARSE_FORMAT_COO;
    const Indices offsets = outer_of(*matB);
    if (has_offsets) work.writes("matB's offsets", offsets, outer_count(*matB));
    if (!work.ok()) return;
    std::int64_t count = 0;
    if (has_offsets) offsets.set(0, 0);
    for_elements<T>(
        *matA, matB->format != CUSPARSE_FORMAT_CSC, [&](std::int64_t, std::int64_t, T) { ++count; },
        [&](std::int64_t i) {
          if (has_offsets) offsets.set(i + 1, count);
        });
    matB->nnz = count;
  });
}

cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle,
                                               cusparseConstDnMatDescr_t matA,
                                               cusparseSpMatDescr_t matB,
                                               cusparseDenseToSparseAlg_t, void*) {
  return run(__func__, handle, false, matB, matA, [&](Work& work, auto zero) {
    using T = decltype(zero);
    work.require(matB->is_analysed, "cusparseDenseToSparse_analysis comes first");
    work.reads("matA", strips_of<T>(*matA));
    if (check_new_format(work, *matB)) return fill_blocks<T>(work, *matA, *matB);
    const bool is_list = matB->format == CUSPARSE_FORMAT_COO;
    const Indices rows = outer_of(*matB);
    const Indices inner = inner_of(*matB);
    if (is_list) work.writes("matB's row indices", rows, matB->nnz);
    work.writes("matB's indices", inner, matB->nnz);
    const Strips<T> values{static_cast<T*>(matB->values), matB->nnz};
    work.writes("matB's values", values);
    if (!work.ok()) return;
    std::int64_t k = 0;
    for_elements<T>(
        *matA, matB->format != CUSPARSE_FORMAT_CSC,
        [&](std::int64_t i, std::int64_t j, T value) {
          if (k >= matB->nnz) return;  // matA has changed since
          if (is_list) rows.set(k, i);
          inner.set(k, j);
          values.data[k++] = value;
        },
        [](std::int64_t) {});
  });
}
