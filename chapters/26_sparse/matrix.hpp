// Chapter 26: a sparse matrix on the host, and the forms in which a device has it.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "course.hpp"

// A matrix by its rows: of row r the elements offsets[r] to offsets[r + 1] - 1, in the order of
// their columns.
struct HostCsr {
  int rows = 0, cols = 0;
  std::vector<int> offsets = {0};
  std::vector<int> columns;
  std::vector<float> values;

  int elements() const { return offsets.back(); }
  int longest() const {
    int most = 0;
    for (int r = 0; r < rows; ++r) most = std::max(most, offsets[r + 1] - offsets[r]);
    return most;
  }
};

// The same on the device (compressed sparse rows). columns and values are aligned to 16 bytes.
struct Csr {
  int rows, cols, elements;
  const int* offsets;  // rows + 1 of them
  const int* columns;
  const float* values;
};

// Each element with its row and its column, row after row.
struct Coo {
  int rows, cols, elements;
  const int* row_of;
  const int* columns;
  const float* values;
};

// Rows of equal length, padded with zeros whose column is `padding`. Element k of row r is at
// k * rows + r: neighbouring threads, which have neighbouring rows, read neighbours.
struct Ell {
  int rows, cols, width;
  const int* columns;
  const float* values;
};

// The same in slices of 32 rows: each is as wide as the longest of its rows. Slice s begins at
// begins[s], which has one more than there are slices; within it, element k of row r is at
// k * 32 + r % 32.
constexpr int slice_rows = 32;
struct SlicedEll {
  int rows, cols;
  const int* begins;
  const int* columns;
  const float* values;
};
constexpr int padding = -1;

// y = A x in double precision, for the tests: with exact data it is what each kernel has to give.
inline std::vector<double> reference_product(const HostCsr& A, const std::vector<float>& x) {
  std::vector<double> y(A.rows);
  course::detail::in_parallel(A.rows, A.values.size(), [&](size_t begin, size_t end) {
    for (size_t r = begin; r < end; ++r) {
      double sum = 0;
      for (int k = A.offsets[r]; k < A.offsets[r + 1]; ++k) {
        sum += static_cast<double>(A.values[k]) * static_cast<double>(x[A.columns[k]]);
      }
      y[r] = sum;
    }
  });
  return y;
}
