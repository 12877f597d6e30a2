/// \file
/// The older functions beside conversions and solvers: sums of sparse matrices, a dense matrix
/// times a sparse vector, a rotation, and counts of what is not 0.

#include <algorithm>
#include <numeric>
#include <vector>

#include "libraries/cusparse/legacy.hpp"

namespace emulator::cusparse {
namespace {

struct Sum {
  CsrMatrix a;
  CsrMatrix b;
  CsrMatrix c;  // its indices and values only once its offsets are there

  void check(Work& work) const {
    a.check(work);
    b.check(work);
    work.require(c.properties.lives, "the descriptor of C is not live");
    if (work.ok() && c.properties->type != CUSPARSE_MATRIX_TYPE_GENERAL) {
      work.refuse(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
                  "C is not of CUSPARSE_MATRIX_TYPE_GENERAL");
    }
    // A GPU compares and copies columns as they stand, whatever they count from.
    work.require(
        a.properties->base == b.properties->base && a.properties->base == c.properties->base,
        "the indices of A, B and C do not all count from the same");
  }
  Indices offsets_of_c() const { return indices_at(c.offsets, c.properties->base); }

  // Calls `use` with each element of the sum, by rows: its row, its column, and the places of the
  // elements of A and B, or -1.
  template <class Use, class End>
  void for_elements(Use use, End end_of_row) const {
    const Indices rows_of_a = indices_at(a.offsets, a.properties->base);
    const Indices rows_of_b = indices_at(b.offsets, b.properties->base);
    const Indices columns_of_a = indices_at(a.indices, a.properties->base);
    const Indices columns_of_b = indices_at(b.indices, b.properties->base);
    for (std::int64_t i = 0; i < a.rows; ++i) {
      std::int64_t k = rows_of_a[i];
      std::int64_t l = rows_of_b[i];
      while (k < rows_of_a[i + 1] || l < rows_of_b[i + 1]) {
        const std::int64_t of_a = k < rows_of_a[i + 1] ? columns_of_a[k] : a.columns;
        const std::int64_t of_b = l < rows_of_b[i + 1] ? columns_of_b[l] : a.columns;
        use(of_a < of_b ? of_a : of_b, of_a <= of_b ? k : -1, of_b <= of_a ? l : -1);
        k += of_a <= of_b ? 1 : 0;
        l += of_b <= of_a ? 1 : 0;
      }
      end_of_row(i);
    }
  }
};

void reads_patterns(Work& work, const Sum& sum) {
  work.reads_pattern("A", sum.a.described(CUDA_R_32F));
  work.reads_pattern("B", sum.b.described(CUDA_R_32F));
  for (const CsrMatrix* const m : {&sum.a, &sum.b}) {
    if (!work.ok()) return;
    const Indices offsets = indices_at(m->offsets, m->properties->base);
    for (std::int64_t i = 0; i < m->rows; ++i) {
      for (std::int64_t k = offsets[i] + 1; k < offsets[i + 1]; ++k) {
        if (m->indices[k - 1] <= m->indices[k]) continue;
        return work.refuse(CUSPARSE_STATUS_EXECUTION_FAILED,
                           std::string("the columns of ") + m->name + " do not ascend in row " +
                               std::to_string(i));
      }
    }
  }
}

template <class T>
cusparseStatus_t add(const char* function, cusparseHandle_t handle, const void* alpha,
                     const void* beta, const Sum& sum) {
  return call(
      function, handle,
      [=](Work& work) {
        sum.check(work);
        work.require(alpha != nullptr, "alpha is a null pointer");
        work.require(beta != nullptr, "beta is a null pointer");
        work.require(sum.c.offsets != nullptr, "the offsets of C are a null pointer");
      },
      [=](Work& work) {
        const T of_a = work.factor<T>("alpha", alpha);
        const T of_b = work.factor<T>("beta", beta);
        reads_patterns(work, sum);
        const auto a = strip<T>(sum.a.values, sum.a.nnz);
        const auto b = strip<T>(sum.b.values, sum.b.nnz);
        work.reads("A's values", a);
        work.reads("B's values", b);
        const Indices offsets = sum.offsets_of_c();
        work.reads("C's offsets", offsets, sum.a.rows + 1);
        if (!work.ok()) return;
        std::int64_t count = 0;
        sum.for_elements([&](std::int64_t, std::int64_t, std::int64_t) { ++count; },
                         [&](std::int64_t i) {
                           work.require(offsets[i + 1] == count && (i > 0 || offsets[0] == 0),
                                        "C's offsets are not those that cusparseXcsrgeam2Nnz "
                                        "writes for these A and B");
                         });
        const Indices columns = indices_at(sum.c.indices, sum.c.properties->base);
        const auto c = strip<T>(sum.c.values, count);
        work.writes("C's indices", columns, count);
        work.writes("C's values", c);
        if (!work.ok()) return;
        std::int64_t next = 0;
        sum.for_elements(
            [&](std::int64_t j, std::int64_t k, std::int64_t l) {
              columns.set(next, j);
              c.data[next++] = (k < 0 ? T{} : of_a * a.data[k]) + (l < 0 ? T{} : of_b * b.data[l]);
            },
            [](std::int64_t) {});
      });
}

cusparseStatus_t size_of_sum(const char* function, cusparseHandle_t handle, const Sum& sum,
                             std::size_t* size) {
  return size_call(
      function, handle, [&](Work& work) { sum.check(work); }, size);
}

template <class T>
cusparseStatus_t count_elements(const char* function, cusparseHandle_t handle,
                                cusparseDirection_t direction, int m, int n,
                                const cusparseMatDescr* descr, const void* a, int lda, int* counts,
                                int* total) {
  const Copy<cusparseMatDescr> properties(descr);
  return call_now(
      function, handle,
      [&](Work& work) {
        work.require(m >= 0 && n >= 0, "the sizes are negative");
        work.require(lda >= (m > 1 ? m : 1), "lda is less than the number of rows");
        work.require(direction == CUSPARSE_DIRECTION_ROW || direction == CUSPARSE_DIRECTION_COLUMN,
                     "dirA is not a cusparseDirection_t");
        work.require(properties.lives, "descrA is not a live descriptor");
        if (work.ok() && properties->type != CUSPARSE_MATRIX_TYPE_GENERAL) {
          work.refuse(CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
                      "A is not of CUSPARSE_MATRIX_TYPE_GENERAL");
        }
        work.require(total != nullptr, "nnzTotalDevHostPtr is a null pointer");
        work.require(counts != nullptr || m == 0 || n == 0, "nnzPerRowCol is a null pointer");
      },
      [&](Work& work) {
        if (m == 0 || n == 0) return;  // a GPU writes nothing either
        const bool by_rows = direction == CUSPARSE_DIRECTION_ROW;
        const auto* const elements = static_cast<const T*>(a);
        work.reads("A", Strips<const T>{elements, m, n, lda});
        work.writes("nnzPerRowCol", indices_at(counts), by_rows ? m : n);
        if (!work.ok()) return;
        std::vector<int> found(static_cast<std::size_t>(by_rows ? m : n));
        for (std::int64_t j = 0; j < n; ++j) {
          const T* const column = elements + j * lda;
          if (by_rows) {
            for (std::size_t i = 0; i < found.size(); ++i) found[i] += column[i] != T{} ? 1 : 0;
          } else {
            int count = 0;
            for (std::int64_t i = 0; i < m; ++i) count += column[i] != T{} ? 1 : 0;
            found[static_cast<std::size_t>(j)] = count;
          }
        }
        const int all = std::accumulate(found.begin(), found.end(), 0);
        std::copy(found.begin(), found.end(), counts);
        work.result(total, all);
      });
}

template <class T>
cusparseStatus_t multiply_sparse_vector(const char* function, cusparseHandle_t handle,
                                        cusparseOperation_t operation, int m, int n,
                                        const void* alpha, const void* a, int lda, int nnz,
                                        const void* x, const int* indices, const void* beta,
                                        void* y, cusparseIndexBase_t base) {
  return call(
      function, handle,
      [=](Work& work) {
        work.require(m >= 0 && n >= 0 && nnz >= 0, "the sizes are negative");
        work.require(lda >= (m > 1 ? m : 1), "lda is less than the number of rows");
        work.require(is_operation(operation), "transA is not a cusparseOperation_t");
        work.require(base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE,
                     "idxBase is not a cusparseIndexBase_t");
        work.require(alpha != nullptr, "alpha is a null pointer");
        work.require(beta != nullptr, "beta is a null pointer");
      },
      [=](Work& work) {
        const bool turned = is_turned(operation);
        const std::int64_t rows = turned ? n : m;
        const T of_product = work.factor<T>("alpha", alpha);
        const T of_y = work.factor<T>("beta", beta);
        const Indices places = indices_at(indices, base);
        const auto values = strip<T>(x, nnz);
        const auto result = strip<T>(y, rows);
        const auto* const elements = static_cast<const T*>(a);
        work.reads("A", Strips<const T>{elements, m, n, lda});
        work.reads("xInd", places, nnz);
        work.reads("xVal", values);
        if (of_y != T{}) work.reads("y", result);
        work.writes("y", result);
        for (std::int64_t k = 0; work.ok() && k < nnz; ++k) {
          if (places[k] >= 0 && places[k] < (turned ? m : n)) continue;
          work.refuse(CUSPARSE_STATUS_EXECUTION_FAILED,
                      "index " + std::to_string(k) + " of x is outside the vector");
        }
        if (!work.ok()) return;
        for (std::int64_t i = 0; i < rows; ++i) {
          T sum{};
          for (std::int64_t k = 0; k < nnz; ++k) {
            const T value = turned ? elements[places[k] + i * lda] : elements[i + places[k] * lda];
            sum += with_operation(value, operation) * values.data[k];
          }
          const T product = of_product * sum;
          result.data[i] = of_y == T{} ? product : product + of_y * result.data[i];
        }
      });
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* c_coeff, const void* s_coeff,
                             cusparseSpVecDescr_t vecX, cusparseDnVecDescr_t vecY) {
  const Copy x(vecX);
  const Copy y(vecY);
  return call(
      __func__, handle,
      [=](Work& work) {
        work.require(x.lives, "vecX is not a live descriptor");
        work.require(y.lives, "vecY is not a live descriptor");
        work.require(c_coeff != nullptr && s_coeff != nullptr, "a coefficient is a null pointer");
        work.require(x->size == y->size, "vecX and vecY are of different sizes");
        work.same_type(x->type, y->type, "vecY");
      },
      [=](Work& work) {
        with_type(work, x->type, [&](auto zero) {
          using T = decltype(zero);
          const T c = work.factor<T>("c_coeff", c_coeff);
          const T s = work.factor<T>("s_coeff", s_coeff);
          const Indices places{x->indices, x->index_type, x->base};
          const auto of_x = strip<T>(x->values, x->nnz);
          const auto of_y = strip<T>(y->values, y->size);
          work.reads("vecX's indices", places, x->nnz);
          work.reads("vecX's values", of_x);
          work.writes("vecX's values", of_x);
          work.reads("vecY", of_y);
          work.writes("vecY", of_y);
          for (std::int64_t k = 0; work.ok() && k < x->nnz; ++k) {
            if (places[k] >= 0 && places[k] < x->size) continue;
            work.refuse(CUSPARSE_STATUS_EXECUTION_FAILED,
                        "index " + std::to_string(k) + " of vecX is outside the vector");
          }
          for (std::int64_t k = 0; work.ok() && k < x->nnz; ++k) {
            T& first = of_x.data[k];
            T& second = of_y.data[places[k]];
            const T turned = c * first + s * second;
            second = c * second - s * first;
            first = turned;
          }
        });
      });
}

CUSPARSE_OF_ALL_TYPES(nnz, EMULATOR_CUSPARSE_NNZ,
                      (count_elements<T>(__func__, handle, dirA, m, n, descrA, A, lda, nnzPerRowCol,
                                         nnzTotalDevHostPtr)))
CUSPARSE_OF_ALL_TYPES(gemvi_bufferSize, EMULATOR_CUSPARSE_GEMVI_SIZE,
                      (size_call(
                          __func__, handle,
                          [&](Work& work) {
                            work.require(m >= 0 && n >= 0 && nnz >= 0, "the sizes are negative");
                          },
                          pBufferSize)))
CUSPARSE_OF_ALL_TYPES(gemvi, EMULATOR_CUSPARSE_GEMVI,
                      (multiply_sparse_vector<T>(__func__, handle, transA, m, n, alpha, A, lda, nnz,
                                                 xVal, xInd, beta, y, idxBase)))

// The sum that a call's parameters describe.
#define SUM(values_a, values_b, values_c, indices_c)                                 \
  (Sum{{"A", Copy<cusparseMatDescr>(descrA), m, n, nnzA, values_a, csrSortedRowPtrA, \
        csrSortedColIndA},                                                           \
       {"B", Copy<cusparseMatDescr>(descrB), m, n, nnzB, values_b, csrSortedRowPtrB, \
        csrSortedColIndB},                                                           \
       {"C", Copy<cusparseMatDescr>(descrC), m, n, 0, values_c, csrSortedRowPtrC, indices_c}})
CUSPARSE_OF_ALL_TYPES(csrgeam2_bufferSizeExt, EMULATOR_CUSPARSE_GEAM_SIZE,
                      size_of_sum(__func__, handle,
                                  SUM(csrSortedValA, csrSortedValB, csrSortedValC,
                                      csrSortedColIndC),
                                  pBufferSizeInBytes))
CUSPARSE_OF_ALL_TYPES(csrgeam2, EMULATOR_CUSPARSE_GEAM,
                      (add<T>(__func__, handle, alpha, beta,
                              SUM(csrSortedValA, csrSortedValB, csrSortedValC, csrSortedColIndC))))

cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t handle, int m, int n,
                                      cusparseMatDescr_t descrA, int nnzA,
                                      const int* csrSortedRowPtrA, const int* csrSortedColIndA,
                                      cusparseMatDescr_t descrB, int nnzB,
                                      const int* csrSortedRowPtrB, const int* csrSortedColIndB,
                                      cusparseMatDescr_t descrC, int* csrSortedRowPtrC,
                                      int* nnzTotalDevHostPtr, void*) {
  const Sum sum = SUM(nullptr, nullptr, nullptr, nullptr);
  return call_now(
      __func__, handle,
      [&](Work& work) {
        sum.check(work);
        work.require(csrSortedRowPtrC != nullptr, "csrSortedRowPtrC is a null pointer");
        work.require(nnzTotalDevHostPtr != nullptr, "nnzTotalDevHostPtr is a null pointer");
      },
      [&](Work& work) {
        reads_patterns(work, sum);
        const Indices offsets = sum.offsets_of_c();
        work.writes("csrSortedRowPtrC", offsets, m + 1);
        if (!work.ok()) return;
        std::int64_t count = 0;
        offsets.set(0, 0);
        sum.for_elements([&](std::int64_t, std::int64_t, std::int64_t) { ++count; },
                         [&](std::int64_t i) { offsets.set(i + 1, count); });
        work.result(nnzTotalDevHostPtr, static_cast<int>(count));
      });
}
