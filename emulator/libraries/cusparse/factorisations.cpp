/// \file
/// Incomplete factorisations: of a sparse matrix by matrices that have elements where it has some.

#include <algorithm>
#include <cmath>
#include <vector>

#include "libraries/cusparse/legacy.hpp"
#include "libraries/cusparse/registry.hpp"

namespace emulator::cusparse {
namespace {

CsrMatrix matrix_a(int m, int nnz, const cusparseMatDescr* descr, const void* values,
                   const int* offsets, const int* indices) {
  return {"A", Copy<cusparseMatDescr>(descr), m, m, nnz, values, offsets, indices};
}

template <class Info>
void check(Work& work, const CsrMatrix& a, const Info* info) {
  a.check(work);
  work.require(a.values != nullptr || a.nnz == 0, "the values of A are a null pointer");
  work.live("info", info);
}

// The places of a row's elements, with ascending columns.
struct Rows {
  Indices offsets;
  Indices columns;
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> diagonal;  // of each row, or -1

  explicit Rows(const cusparseSpMatDescr& a)
      : offsets(outer_of(a)),
        columns(inner_of(a)),
        places(static_cast<std::size_t>(a.nnz)),
        diagonal(static_cast<std::size_t>(a.rows), -1) {
    for (std::int64_t i = 0; i < a.rows; ++i) {
      for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        places[static_cast<std::size_t>(k)] = k;
        if (columns[k] == i) diagonal[static_cast<std::size_t>(i)] = k;
      }
      std::sort(places.begin() + static_cast<std::ptrdiff_t>(offsets[i]),
                places.begin() + static_cast<std::ptrdiff_t>(offsets[i + 1]),
                [&](std::int64_t x, std::int64_t y) { return columns[x] < columns[y]; });
    }
  }
  template <class Use>
  void for_row(std::int64_t i, Use use) const {
    for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      const std::int64_t place = places[static_cast<std::size_t>(k)];
      use(columns[place], place);
    }
  }
  std::int64_t diagonal_of(std::int64_t i) const { return diagonal[static_cast<std::size_t>(i)]; }
};

template <class T>
T pivot_at(const Rows& rows, const T* values, std::int64_t i) {
  const std::int64_t place = rows.diagonal_of(i);
  return place < 0 ? T{} : values[place];
}
void note_zero(FactorInfo& info, std::int64_t row) {
  if (info.zero < 0) info.zero = row;
}

// Row by row: what is left of the diagonal becomes a factor, by which the row of its column is
// taken away.
template <class T>
void factorise_lu(const cusparseSpMatDescr& a, T* values, FactorInfo& info) {
  const Rows rows(a);
  std::vector<std::int64_t> place_in_row(static_cast<std::size_t>(a.rows), -1);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    rows.for_row(i, [&](std::int64_t j, std::int64_t place) {
      place_in_row[static_cast<std::size_t>(j)] = place;
    });
    rows.for_row(i, [&](std::int64_t k, std::int64_t place) {
      if (k >= i) return;
      const T factor = values[place] / pivot_at(rows, values, k);
      values[place] = factor;
      rows.for_row(k, [&](std::int64_t j, std::int64_t above) {
        const std::int64_t target = place_in_row[static_cast<std::size_t>(j)];
        if (j > k && target >= 0) values[target] -= factor * values[above];
      });
    });
    rows.for_row(
        i, [&](std::int64_t j, std::int64_t) { place_in_row[static_cast<std::size_t>(j)] = -1; });
    const std::int64_t diagonal = rows.diagonal_of(i);
    if (diagonal < 0) continue;
    if (info.boosts && std::abs(values[diagonal]) <= info.tolerance) {
      if constexpr (std::is_floating_point_v<T>) {
        values[diagonal] = static_cast<T>(info.boost.real());
      } else {
        values[diagonal] = T(info.boost);
      }
    }
    if (values[diagonal] == T{}) note_zero(info, i);
  }
}

template <class T>
auto real_part(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return value;
  } else {
    return value.real();
  }
}

// Row by row, in the lower triangle: an element is what is left of it after the rows' product, over
// the pivot of its column.
template <class T>
void factorise_cholesky(const cusparseSpMatDescr& a, T* values, FactorInfo& info) {
  const Rows rows(a);
  std::vector<std::int64_t> place_in_row(static_cast<std::size_t>(a.rows), -1);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    rows.for_row(i, [&](std::int64_t j, std::int64_t place) {
      if (j < i) place_in_row[static_cast<std::size_t>(j)] = place;
    });
    auto squares = real_part(T{});
    rows.for_row(i, [&](std::int64_t k, std::int64_t place) {
      if (k >= i) return;
      T sum = values[place];
      rows.for_row(k, [&](std::int64_t j, std::int64_t left) {
        const std::int64_t mine = j < k ? place_in_row[static_cast<std::size_t>(j)] : -1;
        if (mine >= 0) sum -= values[mine] * conjugated(values[left]);
      });
      values[place] = sum / pivot_at(rows, values, k);
      squares += real_part(values[place] * conjugated(values[place]));
    });
    rows.for_row(
        i, [&](std::int64_t j, std::int64_t) { place_in_row[static_cast<std::size_t>(j)] = -1; });
    const std::int64_t diagonal = rows.diagonal_of(i);
    if (diagonal < 0) continue;
    const auto pivot = real_part(values[diagonal]) - squares;
    if (!(pivot > 0)) note_zero(info, i);
    // A GPU goes on with the root of the magnitude, whose square is not what was there.
    values[diagonal] = T(std::sqrt(std::abs(pivot)));
  }
}

template <class T, class Info>
cusparseStatus_t analyse(const char* function, cusparseHandle_t handle, const CsrMatrix& a,
                         Info* info) {
  return call_now(
      function, handle, [&](Work& work) { check(work, a, info); },
      [&](Work& work) {
        const cusparseSpMatDescr matrix = a.described(data_type<T>);
        work.reads_pattern("A", matrix);
        if (!work.ok()) return;
        const Rows rows(matrix);
        FactorInfo& factor = info->factor;
        factor.is_analysed = true;
        factor.base = a.properties->base;
        factor.zero = -1;
        const auto first = std::find(rows.diagonal.begin(), rows.diagonal.end(), -1);
        factor.missing = first == rows.diagonal.end() ? -1 : first - rows.diagonal.begin();
      });
}

template <class T, class Info, class Factorise>
cusparseStatus_t factorise(const char* function, cusparseHandle_t handle, const CsrMatrix& a,
                           Info* info, Factorise make) {
  return call_now(
      function, handle,
      [&](Work& work) {
        check(work, a, info);
        work.require(!work.ok() || info->factor.is_analysed, "the analysis comes first");
      },
      [&](Work& work) {
        const cusparseSpMatDescr matrix = a.described(data_type<T>);
        work.reads_matrix<T>("A", matrix);
        work.writes("A's values", strip<T>(a.values, a.nnz));
        info->factor.zero = -1;
        if (work.ok()) make(matrix, static_cast<T*>(matrix.values), info->factor);
      });
}
template <class T>
cusparseStatus_t lu(const char* function, cusparseHandle_t handle, const CsrMatrix& a,
                    csrilu02Info* info) {
  return factorise<T>(function, handle, a, info, factorise_lu<T>);
}
template <class T>
cusparseStatus_t cholesky(const char* function, cusparseHandle_t handle, const CsrMatrix& a,
                          csric02Info* info) {
  return factorise<T>(function, handle, a, info, factorise_cholesky<T>);
}

template <class Info, class Size>
cusparseStatus_t size_of(const char* function, cusparseHandle_t handle, const CsrMatrix& a,
                         const Info* info, Size* size) {
  return size_call(
      function, handle, [&](Work& work) { check(work, a, info); }, size);
}

template <class Info>
cusparseStatus_t zero_pivot(const char* function, cusparseHandle_t handle, const Info* info,
                            int* position) {
  bool is_zero = false;
  const cusparseStatus_t status = call_now(
      function, handle,
      [&](Work& work) {
        work.live("info", info);
        work.require(position != nullptr, "position is a null pointer");
        work.require(!work.ok() || info->factor.is_analysed, "the analysis comes first");
      },
      [&](Work& work) {
        const FactorInfo& factor = info->factor;
        std::int64_t first = factor.missing;
        if (first < 0 || (factor.zero >= 0 && factor.zero < first)) first = factor.zero;
        is_zero = first >= 0;
        work.result(position, static_cast<int>(is_zero ? first + factor.base : -1));
      });
  return status == CUSPARSE_STATUS_SUCCESS && is_zero ? CUSPARSE_STATUS_ZERO_PIVOT : status;
}

template <class T>
cusparseStatus_t boost(const char* function, cusparseHandle_t handle, csrilu02Info* info,
                       bool enable, const double* tolerance, const void* value) {
  return call_now(
      function, handle, [&](Work& work) { work.live("info", info); },
      [&](Work& work) {
        FactorInfo& factor = info->factor;
        if (enable) {
          factor.tolerance = work.factor<double>("tol", tolerance);
          factor.boost = std::complex<double>(work.factor<T>("boost_val", value));
        }
        if (work.ok()) factor.boosts = enable;
      });
}

}  // namespace
}  // namespace emulator::cusparse

using namespace emulator::cusparse;

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
  return info == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : made(info, csrilu02Info{});
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  return destroyed(info, CUSPARSE_STATUS_INVALID_VALUE);
}
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t* info) {
  return info == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : made(info, csric02Info{});
}
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info) {
  return destroyed(info, CUSPARSE_STATUS_INVALID_VALUE);
}
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                             int* position) {
  return zero_pivot(__func__, handle, info, position);
}
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info,
                                            int* position) {
  return zero_pivot(__func__, handle, info, position);
}

CUSPARSE_OF_ALL_TYPES(csrilu02_numericBoost, EMULATOR_CUSPARSE_BOOST,
                      (boost<T>(__func__, handle, info, enable_boost != 0, tol, boost_val)))

// The matrix that a call's parameters describe.
#define MATRIX(values) matrix_a(m, nnz, descrA, values, csrSortedRowPtrA, csrSortedColIndA)
#define SIZE(values) size_of(__func__, handle, MATRIX(values), info, pBufferSizeInBytes)
CUSPARSE_OF_ALL_TYPES(csrilu02_bufferSize, EMULATOR_CUSPARSE_ILU_SIZE, SIZE(csrSortedValA))
CUSPARSE_OF_ALL_TYPES(csrilu02_bufferSizeExt, EMULATOR_CUSPARSE_ILU_SIZE_EXT, SIZE(csrSortedValA))
CUSPARSE_OF_ALL_TYPES(csric02_bufferSize, EMULATOR_CUSPARSE_IC_SIZE, SIZE(csrSortedValA))
CUSPARSE_OF_ALL_TYPES(csric02_bufferSizeExt, EMULATOR_CUSPARSE_IC_SIZE_EXT, SIZE(csrSortedValA))
CUSPARSE_OF_ALL_TYPES(csrilu02_analysis, EMULATOR_CUSPARSE_ILU_ANALYSIS,
                      (analyse<T>(__func__, handle, MATRIX(csrSortedValA), info)))
CUSPARSE_OF_ALL_TYPES(csric02_analysis, EMULATOR_CUSPARSE_IC_ANALYSIS,
                      (analyse<T>(__func__, handle, MATRIX(csrSortedValA), info)))
CUSPARSE_OF_ALL_TYPES(csrilu02, EMULATOR_CUSPARSE_ILU,
                      (lu<T>(__func__, handle, MATRIX(csrSortedValA_valM), info)))
CUSPARSE_OF_ALL_TYPES(csric02, EMULATOR_CUSPARSE_IC,
                      (cholesky<T>(__func__, handle, MATRIX(csrSortedValA_valM), info)))
