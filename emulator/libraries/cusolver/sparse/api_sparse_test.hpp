#pragma once
/// \file
/// What the tests of cuSOLVER's sparse functions share.

#include <cusolverSp.h>
#include <cusparse.h>

#include "libraries/cusolver/api_test.hpp"

namespace solver {

using SparseHandle = libraries::Owned<cusolverSpHandle_t, cusolverSpCreate, cusolverSpDestroy>;
struct Descriptor {
  cusparseMatDescr_t value = nullptr;
  explicit Descriptor(int base = 0) {
    REQUIRE(cusparseCreateMatDescr(&value) == CUSPARSE_STATUS_SUCCESS);
    cusparseSetMatType(value, CUSPARSE_MATRIX_TYPE_GENERAL);
    cusparseSetMatIndexBase(value, base == 1 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO);
  }
  ~Descriptor() { cusparseDestroyMatDescr(value); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator cusparseMatDescr_t() const { return value; }
};

/// The elements of a matrix that are not 0, by rows.
template <class T>
struct Compressed {
  int rows;
  int columns;
  std::vector<int> offsets;
  std::vector<int> indices;
  std::vector<T> values;

  explicit Compressed(const Whole<T>& a, int base = 0)
      : rows(a.rows), columns(a.columns), offsets{base} {
    for (int i = 0; i < a.rows; ++i) {
      for (int j = 0; j < a.columns; ++j) {
        if (a(i, j) == T(0)) continue;
        indices.push_back(j + base);
        values.push_back(a(i, j));
      }
      offsets.push_back(static_cast<int>(values.size()) + base);
    }
  }
  int nnz() const { return static_cast<int>(values.size()); }
};
/// With a diagonal that no factorisation loses, and about a third of the other elements.
template <class T>
Whole<T> sparse_whole(int n, unsigned seed, bool is_hermitian) {
  std::mt19937 bits(seed);
  Whole<T> a(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (i == j) {
        a(i, j) = static_cast<Real<T>>(is_hermitian ? 3 * n + 3 : 4);
      } else if (bits() % 3 == 0 && (!is_hermitian || i > j)) {
        a(i, j) = random_number<T>(bits);
        if (is_hermitian) a(j, i) = conjugated(a(i, j));
      }
    }
  }
  return a;
}
inline bool is_permutation(const std::vector<int>& p) {
  std::vector<int> sorted = p;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<int>(i)) return false;
  }
  return true;
}

#define SPARSE_OF_ALL(name)                                            \
  template <class T>                                                   \
  inline constexpr auto name = cusolverSpS##name;                      \
  template <>                                                          \
  inline constexpr auto name<double> = cusolverSpD##name;              \
  template <>                                                          \
  inline constexpr auto name<std::complex<float>> = cusolverSpC##name; \
  template <>                                                          \
  inline constexpr auto name<std::complex<double>> = cusolverSpZ##name;

}  // namespace solver
