#pragma once
/// \file
/// Vectors and matrices as they are stored. Each knows how many elements there are from its
/// lowest address to its last one, and which of them belong to it. None is empty.

#include <algorithm>
#include <cstdint>
#include <limits>

#include "libraries/common/device_work.hpp"

namespace emulator::libraries {

/// blocks * distance + rest, or too_many.
inline std::uint64_t extent_of(std::int64_t blocks, std::int64_t distance, std::int64_t rest) {
  std::uint64_t elements = 0;
  // The magnitude, which for the least of all numbers only an unsigned one holds.
  const auto bits = static_cast<std::uint64_t>(distance);
  const bool overflows =
      __builtin_mul_overflow(static_cast<std::uint64_t>(blocks), distance < 0 ? 0 - bits : bits,
                             &elements) ||
      __builtin_add_overflow(elements, static_cast<std::uint64_t>(rest), &elements);
  return overflows ? too_many : elements;
}

/// kl + ku + 1, or the largest number there is.
inline std::int64_t stored_rows(std::int64_t kl, std::int64_t ku) {
  std::int64_t rows = 0;
  const bool overflows =
      __builtin_add_overflow(kl, ku, &rows) || __builtin_add_overflow(rows, 1, &rows);
  return overflows ? std::numeric_limits<std::int64_t>::max() : rows;
}

/// A vector as BLAS passes it: its lowest address, whatever the sign of the increment.
template <class T>
struct Line {
  T* data;
  std::int64_t n;
  std::int64_t increment = 1;

  T& operator[](std::int64_t i) const {
    return data[increment < 0 ? (i - (n - 1)) * increment : i * increment];
  }
  std::uint64_t extent() const { return extent_of(n - 1, increment, 1); }

  template <class Use>
  void for_pieces(Use use) const {
    if (increment == 1 || increment == -1) return use(data, n);
    for (std::int64_t i = 0; i < n; ++i) use(&(*this)[i], 1);
  }
};

/// A matrix, stored column by column.
template <class T>
struct Rectangle {
  T* data;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t leading_dimension;

  T* column(std::int64_t j) const { return data + j * leading_dimension; }
  std::uint64_t extent() const { return extent_of(columns - 1, leading_dimension, rows); }

  template <class Use>
  void for_pieces(Use use) const {
    for (std::int64_t j = 0; j < columns; ++j) use(column(j), rows);
  }
};

/// A matrix with kl diagonals below the main one and ku above it.
template <class T>
struct Band {
  T* data;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t kl;
  std::int64_t ku;
  std::int64_t leading_dimension;

  /// The rows of column j that are stored: the first one, and the one after the last.
  std::int64_t begin(std::int64_t j) const { return j > ku ? j - ku : 0; }
  std::int64_t end(std::int64_t j) const { return rows - j > kl ? j + kl + 1 : rows; }
  T* at(std::int64_t i, std::int64_t j) const {
    return data + (ku - j + i) + j * leading_dimension;
  }
  std::uint64_t extent() const {
    const std::int64_t last = (columns - ku > rows ? rows + ku : columns) - 1;
    return extent_of(last, leading_dimension, ku + (end(last) - last));
  }

  template <class Use>
  void for_pieces(Use use) const {
    for (std::int64_t j = 0; j < columns && begin(j) < rows; ++j) {
      use(at(begin(j), j), end(j) - begin(j));
    }
  }
};

enum class Storage { full, band, packed };

/// One triangle of an n x n matrix, stored in one of three ways.
template <class T>
struct Triangle {
  T* data;
  std::int64_t n;
  bool upper;
  Storage storage;
  std::int64_t leading_dimension = 0;  ///< unless packed
  std::int64_t k = 0;                  ///< diagonals beside the main one; n - 1 unless a band
  bool skips_diagonal = false;         ///< the diagonal is not a piece of it

  std::int64_t begin(std::int64_t j) const { return upper ? (j > k ? j - k : 0) : j; }
  std::int64_t end(std::int64_t j) const { return upper ? j + 1 : (n - j > k ? j + k + 1 : n); }
  /// Element (begin(j), j); those below follow it.
  T* column(std::int64_t j) const {
    switch (storage) {
      case Storage::full:
        return data + j * leading_dimension + begin(j);
      case Storage::band:
        return data + j * leading_dimension + (upper ? k - j + begin(j) : 0);
      case Storage::packed:
        break;
    }
    return data + (upper ? j * (j + 1) / 2 : j * n - j * (j - 1) / 2);
  }
  std::uint64_t extent() const {
    switch (storage) {
      case Storage::full:
        return extent_of(n - 1, leading_dimension, n);
      case Storage::band:
        return extent_of(n - 1, leading_dimension, upper ? k + 1 : 1);
      case Storage::packed:
        break;
    }
    return n % 2 == 0 ? extent_of(n / 2, n + 1, 0) : extent_of(n, n / 2 + 1, 0);
  }

  template <class Use>
  void for_pieces(Use use) const {
    const std::int64_t skipped = skips_diagonal ? 1 : 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t length = end(j) - begin(j) - skipped;
      if (length > 0) use(column(j) + (upper ? 0 : skipped), length);
    }
  }
};

}  // namespace emulator::libraries
