/// @file
/// Input data of the chapters, and the results to expect from it.
///
/// Every element is a function of only its row and column (or its index). So a matrix
/// holds the same numbers in either layout, and a program makes the same data wherever it
/// runs:
///     fill_matrix(A, m, n, Layout::row_major, ExactValues(n));
///     fill_vector(x, n, RandomValues(seed));
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace course {

/// How the numbers are made: see ExactValues, LadderMatrix and LadderVector, RandomValues.
enum class Data { exact, ladder, random };

/// How a matrix is stored in memory: row by row, or column by column.
enum class Layout { row_major, column_major };

/// Position in memory of element (i, j) of an m x n matrix.
inline std::size_t matrix_index(std::size_t i, std::size_t j, std::size_t m, std::size_t n,
                                Layout layout) {
  return layout == Layout::row_major ? i * n + j : j * m + i;
}

// The functions that make one element run for every element of a large matrix, often in builds
// without optimisation, where a call costs more than the arithmetic. So they force inlining.
#define COURSE_DETAIL_INLINE [[gnu::always_inline]] inline

// In a file that the emulator compiles, every access reports itself, though only a kernel's matter:
// the loops over a large matrix do not report, and are optimised. (Except in graded work: a kernel
// that calls them must not go unseen.)
#if !defined(__GNUC__) || defined(__clang__) || defined(__CUDACC__) || defined(COURSE_GRADED)
#define COURSE_DETAIL_HOST_LOOP
#elif __has_attribute(no_sanitize_coverage)
#define COURSE_DETAIL_HOST_LOOP \
  __attribute__((no_sanitize("thread"), no_sanitize_coverage, optimize("O2")))
#else
#define COURSE_DETAIL_HOST_LOOP __attribute__((no_sanitize("thread"), optimize("O2")))
#endif

namespace detail {

/// Added to every seed: 0. For graded work it is a number that only the grader knows, so that
/// nobody can know the data beforehand.
inline std::uint64_t seed_offset = 0;

}  // namespace detail

/// 64 random bits for every index, without the state that makes std::mt19937 slow: the generator
/// SplitMix64, with the index as the number of its step (Steele, Lea and Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014). Different indices give different bits.
class RandomBits {
 public:
  explicit RandomBits(std::uint64_t seed) : start_(mix(seed + detail::seed_offset)) {}

  COURSE_DETAIL_INLINE std::uint64_t operator()(std::uint64_t index) const {
    return mix(start_ + (index + 1) * 0x9E3779B97F4A7C15u);
  }

 private:
  COURSE_DETAIL_INLINE static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  std::uint64_t start_;
};

/// The largest r from 1 to 15 for which r * r * terms < 2^24 (1 if none exists): the bound for
/// values of exact data if a result adds up `terms` products of two of them.
inline int exact_limit(std::size_t terms) {
  const std::size_t largest_sum = (1u << 24) - 1;
  std::size_t r = 15;
  while (r > 1 && terms > largest_sum / (r * r)) --r;
  return static_cast<int>(r);
}

/// Exact data: uniform over the whole numbers -r..-1 and 1..r, where r = exact_limit(terms).
///
/// Guarantee: a float holds every whole number up to 2^24, and each partial sum of `terms` products
/// of two values is a whole number below that. So no addition rounds, and every order of summation,
/// with or without fused multiply-add, gives the same bits: a result can be checked bit for bit. No
/// value is 0, so a single missing term shows. The values follow no pattern, so a wrong element
/// that is read also shows.
///
/// From 2^24 terms on r is 1 and the guarantee ends: enough equal signs in a row would leave the
/// exact range. But the signs are random: for n terms this has a probability below 2 exp(-2^47 / n)
/// (Hoeffding's inequality), which is negligible for any n that fits in memory.
class ExactValues {
 public:
  explicit ExactValues(std::size_t terms, std::uint64_t seed = 1)
      : bits_(seed), limit_(exact_limit(terms)) {}

  /// Element `index` of a vector.
  COURSE_DETAIL_INLINE float operator()(std::uint64_t index) const {
    // The upper 32 bits, as a fraction of 1, times the number of values: 0 .. 2r - 1.
    const int pick =
        static_cast<int>((bits_(index) >> 32) * static_cast<unsigned>(2 * limit_) >> 32);
    const int value = pick - limit_;
    return static_cast<float>(value + (value >= 0));  // leaves 0 out
  }

  /// Element (i, j) of a matrix with fewer than 2^32 rows and columns.
  COURSE_DETAIL_INLINE float operator()(std::uint64_t i, std::uint64_t j) const {
    return (*this)(i << 32 | j);
  }

 private:
  RandomBits bits_;
  int limit_;
};

/// Random data: uniform over the multiples of 2^-23 in [-1, 1).
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed = 1) : bits_(seed) {}

  /// Element `index` of a vector.
  COURSE_DETAIL_INLINE float operator()(std::uint64_t index) const {
    return static_cast<float>(static_cast<int>(bits_(index) >> 40)) * 0x1p-23f - 1.0f;
  }

  /// Element (i, j) of a matrix with fewer than 2^32 rows and columns.
  COURSE_DETAIL_INLINE float operator()(std::uint64_t i, std::uint64_t j) const {
    return (*this)(i << 32 | j);
  }

 private:
  RandomBits bits_;
};

/// The matrix of the SGEMV ladder: A(i, j) = i - 0.1 j + 1, computed in double, rounded once.
struct LadderMatrix {
  COURSE_DETAIL_INLINE float operator()(std::size_t i, std::size_t j) const {
    return static_cast<float>(static_cast<double>(i) - 0.1 * static_cast<double>(j) + 1.0);
  }
};

/// Its vector: x(j) = log(sqrt(j * j - j + 2)), computed in double, rounded once.
struct LadderVector {
  COURSE_DETAIL_INLINE float operator()(std::size_t index) const {
    const double j = static_cast<double>(index);
    return static_cast<float>(std::log(std::sqrt(j * j - j + 2.0)));
  }
};

namespace detail {

/// Calls body(begin, end) for pieces of 0 .. count, on several cores if there is enough work.
/// @param work number of elements in total
void in_parallel(std::size_t count, std::size_t work,
                 const std::function<void(std::size_t begin, std::size_t end)>& body);

}  // namespace detail

/// A matrix in the host's memory, initially unset: a std::vector would first write 0 everywhere,
/// which for a gigabyte takes as long as filling it.
class HostMatrix {
 public:
  HostMatrix() = default;
  explicit HostMatrix(std::size_t size) : size_(size), data_(new float[size]) {}

  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const float* begin() const { return data(); }
  const float* end() const { return data() + size_; }
  float operator[](std::size_t index) const { return data_[index]; }

 private:
  std::size_t size_ = 0;
  std::unique_ptr<float[]> data_;
};

namespace detail {

/// Sets the lines from begin to end of a matrix whose lines (rows, or columns) are `length` long.
template <Layout layout, class Values>
COURSE_DETAIL_HOST_LOOP void fill_lines(float* A, std::size_t begin, std::size_t end,
                                        std::size_t length, const Values values) {
  float* element = A + begin * length;
  for (std::size_t line = begin; line < end; ++line) {
    for (std::size_t k = 0; k < length; ++k) {
      *element++ = layout == Layout::row_major ? values(line, k) : values(k, line);
    }
  }
}

}  // namespace detail

/// Sets every element of the m x n matrix A to values(i, j).
/// @param values by value: a copy stays in registers, a reference would be read again every time.
template <class Values>
void fill_matrix(float* A, std::size_t m, std::size_t n, Layout layout, const Values values) {
  const bool by_rows = layout == Layout::row_major;
  detail::in_parallel(by_rows ? m : n, m * n, [=](std::size_t begin, std::size_t end) {
    if (by_rows) {
      detail::fill_lines<Layout::row_major>(A, begin, end, n, values);
    } else {
      detail::fill_lines<Layout::column_major>(A, begin, end, m, values);
    }
  });
}

namespace detail {

template <class Values>
COURSE_DETAIL_HOST_LOOP void fill_elements(float* x, std::size_t begin, std::size_t end,
                                           const Values values) {
  for (std::size_t k = begin; k < end; ++k) x[k] = values(k);
}

}  // namespace detail

/// Sets the n elements of x to values(index).
template <class Values>
void fill_vector(float* x, std::size_t n, const Values values) {
  detail::in_parallel(n, n, [=](std::size_t begin, std::size_t end) {
    detail::fill_elements(x, begin, end, values);
  });
}

/// Sets A to the ladder's m x n matrix.
inline void fill_ladder_matrix(float* A, std::size_t m, std::size_t n, Layout layout) {
  fill_matrix(A, m, n, layout, LadderMatrix());
}

/// Sets x to the ladder's vector of n elements.
inline void fill_ladder_vector(float* x, std::size_t n) {
  fill_vector(x, n, LadderVector());
}

/// n exact values, for results that add up `terms` products of two of them.
inline std::vector<float> exact_vector(std::size_t n, std::size_t terms, std::uint64_t seed = 1) {
  std::vector<float> x(n);
  fill_vector(x.data(), n, ExactValues(terms, seed));
  return x;
}

/// n random values.
inline std::vector<float> random_vector(std::size_t n, std::uint64_t seed = 1) {
  std::vector<float> x(n);
  fill_vector(x.data(), n, RandomValues(seed));
  return x;
}

/// y = A x in float64, and for the error bound of verify.hpp the sums of the absolute terms,
/// magnitude(i) = sum over j of |A(i, j) x(j)|. One pass over A.
/// @param A m x n matrix in `layout`; x has n elements, y and magnitude have m.
void reference_sgemv(const float* A, const float* x, std::size_t m, std::size_t n, Layout layout,
                     double* y, double* magnitude);

/// A matrix-vector product and its result: y = A x with A of rows x cols.
struct SgemvProblem {
  Data data;
  std::size_t rows;
  std::size_t cols;
  Layout layout;
  HostMatrix A;                   ///< rows * cols elements in `layout`
  std::vector<float> x;           ///< cols elements
  std::vector<double> reference;  ///< rows elements: A x in float64, from these very floats
  std::vector<double> magnitude;  ///< rows elements: see reference_sgemv()
};

/// Makes the data of an m x n problem (either may be 0) and its reference.
/// @param seed chooses the exact and the random data; the ladder's are always the same.
SgemvProblem make_sgemv(Data data, std::size_t m, std::size_t n, Layout layout,
                        std::uint64_t seed = 1);

}  // namespace course

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "data.inl"
#endif
