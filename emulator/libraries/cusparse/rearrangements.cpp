/// \file
/// The same elements in another order: by columns for by rows, offsets for rows, sorted.

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "libraries/cusparse/legacy.hpp"

namespace emulator::cusparse {
namespace {

void check_sizes(Work& work, int m, int n, int nnz) {
  work.require(m >= 0 && n >= 0, "the sizes are negative");
  work.require(nnz >= 0, "the number of elements is negative");
}
void check_base(Work& work, cusparseIndexBase_t base) {
  work.require(base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE,
               "idxBase is not a cusparseIndexBase_t");
}
void check_pointers(Work& work, std::initializer_list<const void*> pointers) {
  for (const void* const pointer : pointers) {
    work.require(pointer != nullptr, "one of the arrays is a null pointer");
  }
}

// How many bytes a value has, or 0 if it is not a type of a matrix's.
std::size_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_32F:
    case CUDA_R_32I:
    case CUDA_C_16F:
    case CUDA_C_16BF:
      return 4;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
    default:
      return 0;
  }
}

struct Transposition {
  int m, n, nnz;
  const void* values;
  const int* offsets;
  const int* indices;
  void* new_values;
  int* new_offsets;
  int* new_indices;
  cudaDataType type;
  cusparseAction_t action;
  cusparseIndexBase_t base;

  bool moves_values() const { return action == CUSPARSE_ACTION_NUMERIC; }
  void check(Work& work) const {
    check_sizes(work, m, n, nnz);
    check_base(work, base);
    check_pointers(work, {offsets, new_offsets});
    if (nnz > 0) check_pointers(work, {indices, new_indices});
    if (nnz > 0 && moves_values()) check_pointers(work, {values, new_values});
    work.require(moves_values() || action == CUSPARSE_ACTION_SYMBOLIC,
                 "copyValues is not a cusparseAction_t");
    if (work.ok() && bytes_of(type) == 0) {
      work.refuse(CUSPARSE_STATUS_NOT_SUPPORTED, "values of this type are not modelled");
    }
  }
  void run(Work& work) const {
    const cusparseSpMatDescr from{CUSPARSE_FORMAT_CSR,
                                  m,
                                  n,
                                  nnz,
                                  const_cast<int*>(offsets),
                                  const_cast<int*>(indices),
                                  const_cast<void*>(values),
                                  CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_32I,
                                  base,
                                  type};
    work.reads_pattern("csr", from);
    const Indices to_offsets = indices_at(new_offsets, base);
    const Indices to_indices = indices_at(new_indices, base);
    work.writes("cscColPtr", to_offsets, n + 1);
    work.writes("cscRowInd", to_indices, nnz);
    const std::size_t bytes = bytes_of(type);
    if (moves_values()) {
      const auto length = static_cast<std::int64_t>(bytes) * nnz;
      work.reads("csrVal", strip<char>(values, length));
      work.writes("cscVal", strip<char>(new_values, length));
    }
    if (!work.ok()) return;
    std::vector<std::int64_t> next(static_cast<std::size_t>(n) + 1);
    for_entries(from, [&](std::int64_t, std::int64_t j, std::int64_t) {
      ++next[static_cast<std::size_t>(j) + 1];
    });
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::int64_t j = 0; j <= n; ++j) to_offsets.set(j, next[static_cast<std::size_t>(j)]);
    for_entries(from, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
      const std::int64_t place = next[static_cast<std::size_t>(j)]++;
      to_indices.set(place, i);
      if (!moves_values()) return;
      std::memcpy(static_cast<char*>(new_values) + static_cast<std::size_t>(place) * bytes,
                  static_cast<const char*>(values) + static_cast<std::size_t>(k) * bytes, bytes);
    });
  }
};

// Sorts the elements from `first` on by their keys, and moves several arrays alike.
template <class Key>
void sort_together(std::int64_t first, std::int64_t end, std::initializer_list<int*> arrays,
                   Key key) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(end - first));
  std::iota(order.begin(), order.end(), first);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return key(a) < key(b); });
  std::vector<int> sorted(order.size());
  for (int* const array : arrays) {
    if (array == nullptr) continue;
    std::transform(order.begin(), order.end(), sorted.begin(),
                   [&](std::int64_t place) { return array[place]; });
    std::copy(sorted.begin(), sorted.end(), array + first);
  }
}

cusparseStatus_t sort_compressed(const char* function, cusparseHandle_t handle, int outer_size,
                                 int inner_size, int nnz, const cusparseMatDescr* descr,
                                 const int* offsets, int* indices, int* permutation) {
  const CsrMatrix a{
      "A", Copy<cusparseMatDescr>(descr), outer_size, inner_size, nnz, nullptr, offsets, indices};
  return call(
      function, handle,
      [a, permutation](Work& work) {
        a.check(work);
        work.require(permutation != nullptr || a.nnz == 0, "P is a null pointer");
      },
      [a, indices, permutation](Work& work) {
        const cusparseSpMatDescr matrix = a.described(CUDA_R_32F);
        work.reads_pattern("A", matrix);
        work.writes("A's indices", inner_of(matrix), a.nnz);
        work.reads("P", indices_at(permutation), a.nnz);
        work.writes("P", indices_at(permutation), a.nnz);
        if (!work.ok()) return;
        const Indices ends = outer_of(matrix);
        for (std::int64_t i = 0; i < a.rows; ++i) {
          sort_together(ends[i], ends[i + 1], {indices, permutation},
                        [&](std::int64_t k) { return indices[k]; });
        }
      });
}

cusparseStatus_t sort_list(const char* function, cusparseHandle_t handle, int m, int n, int nnz,
                           int* first, int* second, int* permutation) {
  return call(
      function, handle,
      [=](Work& work) {
        check_sizes(work, m, n, nnz);
        if (nnz > 0) check_pointers(work, {first, second});
      },
      [=](Work& work) {
        for (int* const array : {first, second, permutation}) {
          if (array == nullptr) continue;
          work.reads("the list", indices_at(array), nnz);
          work.writes("the list", indices_at(array), nnz);
        }
        if (!work.ok()) return;
        sort_together(0, nnz, {first, second, permutation},
                      [&](std::int64_t k) { return std::pair(first[k], second[k]); });
      });
}

cusparseStatus_t size_of_sort(const char* function, cusparseHandle_t handle, int m, int n, int nnz,
                              std::size_t* size) {
  return size_call(
      function, handle, [&](Work& work) { check_sizes(work, m, n, nnz); }, size);
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int m, int n, int nnz,
                                               const void* csrVal, const int* csrRowPtr,
                                               const int* csrColInd, void* cscVal, int* cscColPtr,
                                               int* cscRowInd, cudaDataType valType,
                                               cusparseAction_t copyValues,
                                               cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t,
                                               std::size_t* bufferSize) {
  const Transposition t{m,      n,         nnz,       csrVal,  csrRowPtr,  csrColInd,
                        cscVal, cscColPtr, cscRowInd, valType, copyValues, idxBase};
  return size_call(
      __func__, handle, [&](Work& work) { t.check(work); }, bufferSize);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz,
                                    const void* csrVal, const int* csrRowPtr, const int* csrColInd,
                                    void* cscVal, int* cscColPtr, int* cscRowInd,
                                    cudaDataType valType, cusparseAction_t copyValues,
                                    cusparseIndexBase_t idxBase, cusparseCsr2CscAlg_t, void*) {
  const Transposition t{m,      n,         nnz,       csrVal,  csrRowPtr,  csrColInd,
                        cscVal, cscColPtr, cscRowInd, valType, copyValues, idxBase};
  return call(
      __func__, handle, [t](Work& work) { t.check(work); }, [t](Work& work) { t.run(work); });
}

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* cooRowInd, int nnz, int m,
                                  int* csrSortedRowPtr, cusparseIndexBase_t idxBase) {
  return call(
      __func__, handle,
      [=](Work& work) {
        check_sizes(work, m, 0, nnz);
        check_base(work, idxBase);
        check_pointers(work, {csrSortedRowPtr});
        if (nnz > 0) check_pointers(work, {cooRowInd});
      },
      [=](Work& work) {
        const Indices rows = indices_at(cooRowInd, idxBase);
        const Indices offsets = indices_at(csrSortedRowPtr, idxBase);
        work.reads("cooRowInd", rows, nnz);
        work.writes("csrSortedRowPtr", offsets, m + 1);
        for (std::int64_t k = 0; work.ok() && k < nnz; ++k) {
          if (rows[k] >= (k == 0 ? 0 : rows[k - 1]) && rows[k] < m) continue;
          work.refuse(CUSPARSE_STATUS_EXECUTION_FAILED,
                      "the row of element " + std::to_string(k) +
                          " is less than the one before, or outside the matrix");
        }
        if (!work.ok()) return;
        std::int64_t k = 0;
        for (std::int64_t i = 0; i <= m; ++i) {
          while (k < nnz && rows[k] < i) ++k;
          offsets.set(i, k);
        }
      });
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* csrSortedRowPtr, int nnz,
                                  int m, int* cooRowInd, cusparseIndexBase_t idxBase) {
  return call(
      __func__, handle,
      [=](Work& work) {
        check_sizes(work, m, 0, nnz);
        check_base(work, idxBase);
        check_pointers(work, {csrSortedRowPtr});
        if (nnz > 0) check_pointers(work, {cooRowInd});
      },
      [=](Work& work) {
        const Indices offsets = indices_at(csrSortedRowPtr, idxBase);
        const Indices rows = indices_at(cooRowInd, idxBase);
        work.reads("csrSortedRowPtr", offsets, m + 1);
        work.writes("cooRowInd", rows, nnz);
        for (std::int64_t i = 0; work.ok() && i < m; ++i) {
          if (offsets[i] < 0 || offsets[i] > offsets[i + 1] || offsets[i + 1] > nnz) {
            return work.refuse(CUSPARSE_STATUS_EXECUTION_FAILED,
                               "offset " + std::to_string(i) + " does not make sense");
          }
          for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k) rows.set(k, i);
        }
      });
}

cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* p) {
  return call(
      __func__, handle,
      [=](Work& work) {
        check_sizes(work, n, 0, 0);
        if (n > 0) check_pointers(work, {p});
      },
      [=](Work& work) {
        work.writes("p", indices_at(p), n);
        if (work.ok()) std::iota(p, p + n, 0);
      });
}
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int*, const int*, std::size_t* size) {
  return size_of_sort(__func__, handle, m, n, nnz, size);
}
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  cusparseMatDescr_t descrA, const int* csrRowPtrA, int* csrColIndA,
                                  int* P, void*) {
  return sort_compressed(__func__, handle, m, n, nnz, descrA, csrRowPtrA, csrColIndA, P);
}
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int*, const int*, std::size_t* size) {
  return size_of_sort(__func__, handle, m, n, nnz, size);
}
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n, int nnz,
                                  cusparseMatDescr_t descrA, const int* cscColPtrA, int* cscRowIndA,
                                  int* P, void*) {
  return sort_compressed(__func__, handle, n, m, nnz, descrA, cscColPtrA, cscRowIndA, P);
}
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz,
                                                const int*, const int*, std::size_t* size) {
  return size_of_sort(__func__, handle, m, n, nnz, size);
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz,
                                       int* cooRowsA, int* cooColsA, int* P, void*) {
  return sort_list(__func__, handle, m, n, nnz, cooRowsA, cooColsA, P);
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n, int nnz,
                                          int* cooRowsA, int* cooColsA, int* P, void*) {
  return sort_list(__func__, handle, m, n, nnz, cooColsA, cooRowsA, P);
}
