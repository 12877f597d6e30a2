#pragma once
/// \file
/// What the tests of cuSPARSE's solvers and of its older functions share. Numbers are small whole
/// ones, so that no order of additions rounds. These files need nothing of the emulator: they also
/// compile against NVIDIA's cuSPARSE.

#include <cusparse.h>
#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <type_traits>
#include <vector>

#include "libraries/common/array_test.hpp"
#include "libraries/common/scalar_types_test.hpp"

namespace sparse {

using libraries::Array;
using libraries::is_complex;
using libraries::named;
using libraries::type_of;

#define SUCCEEDS(call) CHECK((call) == CUSPARSE_STATUS_SUCCESS)

using Handle = libraries::Owned<cusparseHandle_t, cusparseCreate, cusparseDestroy>;

/// A whole number, with an imaginary part where there is one.
template <class T>
T number(int real, int imaginary = 0) {
  if constexpr (is_complex<T>) {
    return T(static_cast<typename T::value_type>(real),
             static_cast<typename T::value_type>(imaginary));
  } else {
    return static_cast<T>(real);
  }
}

/// All elements of a matrix, of which those that are 0 are not stored.
template <class T>
struct Whole {
  int rows;
  int columns;
  std::vector<T> elements;

  Whole(int m, int n) : rows(m), columns(n), elements(static_cast<std::size_t>(m * n)) {}
  T& operator()(int i, int j) { return elements[static_cast<std::size_t>(i * columns + j)]; }
  T operator()(int i, int j) const { return elements[static_cast<std::size_t>(i * columns + j)]; }
  bool operator==(const Whole& other) const = default;
};

template <class T>
Whole<T> random_whole(int m, int n, unsigned seed, int one_of = 3) {
  std::mt19937 bits(seed);
  Whole<T> result(m, n);
  for (T& value : result.elements) {
    if (bits() % static_cast<unsigned>(one_of) != 0) continue;
    value = number<T>(static_cast<int>(bits() % 7) - 3, static_cast<int>(bits() % 5) - 2);
  }
  return result;
}
template <class T>
T conjugated(T value) {
  if constexpr (is_complex<T>) {
    return std::conj(value);
  } else {
    return value;
  }
}
template <class T>
Whole<T> with_operation(const Whole<T>& a, cusparseOperation_t operation) {
  if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE) return a;
  Whole<T> result(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < a.columns; ++j) {
      result(j, i) =
          operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugated(a(i, j)) : a(i, j);
    }
  }
  return result;
}
template <class T>
Whole<T> operator*(const Whole<T>& a, const Whole<T>& b) {
  Whole<T> result(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i) {
    for (int j = 0; j < b.columns; ++j) {
      for (int k = 0; k < a.columns; ++k) result(i, j) += a(i, k) * b(k, j);
    }
  }
  return result;
}
template <class T>
Whole<T> operator*(T factor, Whole<T> a) {
  for (T& element : a.elements) element *= factor;
  return a;
}
template <class T>
Whole<T> operator+(Whole<T> a, const Whole<T>& b) {
  for (std::size_t i = 0; i < a.elements.size(); ++i) a.elements[i] += b.elements[i];
  return a;
}

/// The elements of a matrix that are stored, by rows.
template <class T>
struct Compressed {
  std::vector<int> offsets;
  std::vector<int> rows;
  std::vector<int> columns;
  std::vector<T> values;

  explicit Compressed(const Whole<T>& a, int base = 0) : offsets{base} {
    for (int i = 0; i < a.rows; ++i) {
      for (int j = 0; j < a.columns; ++j) {
        if (a(i, j) == T{}) continue;
        rows.push_back(i + base);
        columns.push_back(j + base);
        values.push_back(a(i, j));
      }
      offsets.push_back(static_cast<int>(values.size()) + base);
    }
  }
  int nnz() const { return static_cast<int>(values.size()); }
};

/// The same on the device, with its descriptor in CSR or COO.
template <class T>
struct OnDevice {
  Compressed<T> host;
  Array<int> outer;
  Array<int> columns;
  Array<T> values;
  cusparseSpMatDescr_t descriptor = nullptr;

  explicit OnDevice(const Whole<T>& a, int base = 0, bool as_list = false)
      : host(a, base),
        outer(as_list ? host.rows : host.offsets),
        columns(host.columns),
        values(host.values) {
    const auto index_base = static_cast<cusparseIndexBase_t>(base);
    if (as_list) {
      SUCCEEDS(cusparseCreateCoo(&descriptor, a.rows, a.columns, host.nnz(), outer.get(),
                                 columns.get(), values.get(), CUSPARSE_INDEX_32I, index_base,
                                 type_of<T>));
    } else {
      SUCCEEDS(cusparseCreateCsr(&descriptor, a.rows, a.columns, host.nnz(), outer.get(),
                                 columns.get(), values.get(), CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_32I, index_base, type_of<T>));
    }
  }
  ~OnDevice() { cusparseDestroySpMat(descriptor); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
};

/// A dense matrix on the device, by rows or by columns, with a gap after each.
template <class T>
struct DenseOnDevice {
  int rows;
  int columns;
  bool by_rows;
  int ld;
  Array<T> values;
  cusparseDnMatDescr_t descriptor = nullptr;

  DenseOnDevice(const Whole<T>& a, bool rows_first)
      : rows(a.rows),
        columns(a.columns),
        by_rows(rows_first),
        ld((by_rows ? columns : rows) + 2),
        values(spread(a)) {
    SUCCEEDS(cusparseCreateDnMat(&descriptor, rows, columns, ld, values.get(), type_of<T>,
                                 by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  }
  ~DenseOnDevice() { cusparseDestroyDnMat(descriptor); }
  DenseOnDevice(const DenseOnDevice&) = delete;
  DenseOnDevice& operator=(const DenseOnDevice&) = delete;
  Whole<T> whole() const {
    const std::vector<T> numbers = values.numbers();
    Whole<T> result(rows, columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) result(i, j) = numbers[place(i, j)];
    }
    return result;
  }

 private:
  std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(by_rows ? i * ld + j : j * ld + i);
  }
  std::vector<T> spread(const Whole<T>& a) const {
    std::vector<T> numbers(static_cast<std::size_t>(ld * (by_rows ? rows : columns)), T(77));
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) numbers[place(i, j)] = a(i, j);
    }
    return numbers;
  }
};

/// Memory of at least a byte, for a call that says how much it needs.
struct Buffer {
  Array<char> bytes;
  explicit Buffer(std::size_t size) : bytes(std::vector<char>(size + 1)) {}
  void* get() const { return bytes.get(); }
};

struct MatDescr {
  cusparseMatDescr_t value = nullptr;
  explicit MatDescr(int base = 0) {
    REQUIRE(cusparseCreateMatDescr(&value) == CUSPARSE_STATUS_SUCCESS);
    cusparseSetMatIndexBase(value, static_cast<cusparseIndexBase_t>(base));
  }
  ~MatDescr() { cusparseDestroyMatDescr(value); }
  MatDescr(const MatDescr&) = delete;
  MatDescr& operator=(const MatDescr&) = delete;
  operator cusparseMatDescr_t() const { return value; }
};

inline constexpr cusparseOperation_t as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
inline constexpr cusparseOperation_t transposed = CUSPARSE_OPERATION_TRANSPOSE;
inline constexpr cusparseOperation_t conjugate_transposed = CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;

/// The same numbers but for what rounding does.
template <class T>
bool are_near(const std::vector<T>& a, const std::vector<T>& b, double tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(std::abs(a[i] - b[i]) <= tolerance * (1 + std::abs(b[i])))) return false;
  }
  return a.size() == b.size();
}

}  // namespace sparse
