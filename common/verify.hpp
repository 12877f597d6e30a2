/// @file
/// Compares a result with what it should be, says which elements are wrong, and names the likely
/// cause where the pattern of the wrong elements shows it.
///
///     const course::Verdict verdict = course::verify(y, problem);
///     std::puts(verdict.message.c_str());
///     if (!verdict) return 1;
///
/// NaN, infinity and elements that were never written are wrong, always.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data.hpp"

namespace course {

/// What an output holds before a kernel writes it: cudaMemset(y, 0xFF, bytes) leaves these bits in
/// each float. They are a NaN, and not the one that a GPU's arithmetic produces (0x7FFFFFFF).
inline constexpr std::uint32_t poison_bits = 0xFFFFFFFFu;

/// What a comparison found.
struct Verdict {
  bool passed;
  std::string message;  ///< one line if passed, else several; no line break at the end
  explicit operator bool() const { return passed; }
};

namespace detail {

/// False for NaN and the infinities. It looks at the bits because -ffast-math lets the compiler
/// assume that there are none, and then std::isfinite() is always true.
inline bool is_number(float value) {
  return (std::bit_cast<std::uint32_t>(value) & 0x7F800000u) != 0x7F800000u;
}

inline bool never_written(float value) {
  return std::bit_cast<std::uint32_t>(value) == poison_bits;
}

/// A value as a message shows it: with as many digits as tell it from its neighbours.
inline std::string shown(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (!is_number(value)) return bits == 0x7F800000u ? "inf" : bits == 0xFF800000u ? "-inf" : "nan";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// A result of rows x cols elements, row after row, and what it should be.
struct Comparison {
  const float* got;
  const double* expected;
  const double* magnitude;  ///< nullptr: bit for bit
  std::size_t rows;
  std::size_t cols;
  double tolerance;  ///< how far off an element may be, as a part of its magnitude

  std::size_t size() const { return rows * cols; }

  /// How far off element k may be. The last two terms round the result once, however small it is.
  double bound(std::size_t k) const {
    if (magnitude == nullptr) return 0.0;
    return tolerance * magnitude[k] + 0x1p-24 * std::fabs(expected[k]) + 0x1p-149;
  }

  /// How far off element k would be with this value.
  double error(float value, std::size_t k) const {
    const double target = magnitude ? expected[k] : double{static_cast<float>(expected[k])};
    return std::fabs(double{value} - target);
  }

  bool accepts(float value, std::size_t k) const {
    return is_number(value) && error(value, k) <= bound(k);
  }
  bool wrong(std::size_t k) const { return !accepts(got[k], k); }

  /// Whether element k's expectation is one that a float can meet.
  bool meaningful(std::size_t k) const {
    if (!is_number(static_cast<float>(expected[k]))) return false;
    return !magnitude || (is_number(static_cast<float>(magnitude[k])) && magnitude[k] >= 0.0);
  }

  /// "row 3", or "row 3, column 5" in a matrix.
  std::string place(std::size_t k) const {
    const std::string row = "row " + std::to_string(k / cols);
    return cols == 1 ? row : row + ", column " + std::to_string(k % cols);
  }

  /// "row 17: got 3, expected 5".
  std::string describe(std::size_t k) const {
    const std::string what = never_written(got[k]) ? "never written" : "got " + shown(got[k]);
    std::string line =
        place(k) + ": " + what + ", expected " + shown(static_cast<float>(expected[k]));
    if (magnitude) line += " or at most " + shown(static_cast<float>(bound(k))) + " off";
    return line;
  }
};

/// Whether the predicate holds for 0 .. count - 1.
template <class Predicate>
bool for_all(std::size_t count, const Predicate& predicate) {
  for (std::size_t k = 0; k < count; ++k) {
    if (!predicate(k)) return false;
  }
  return true;
}

// Likely causes. Each function returns a sentence if the result has exactly its pattern, else "".

inline std::string cause_same_everywhere(const Comparison& c) {
  if (for_all(c.size(), [&](std::size_t k) { return never_written(c.got[k]); })) {
    return "every element is what it was before, no number: nothing was written, or something was "
           "added to it. Was the kernel launched? If it adds, who sets the output to 0?";
  }
  if (for_all(c.size(), [&](std::size_t k) { return c.got[k] == 0.0f; })) {
    return "every element is 0. Was the input copied to the device?";
  }
  return "";
}

inline std::string cause_transposed(const Comparison& c) {
  if (c.rows < 2 || c.cols < 2) return "";
  const auto stored_by_columns = [&](std::size_t k) {
    return c.accepts(c.got[k % c.cols * c.rows + k / c.cols], k);
  };
  if (!for_all(c.size(), stored_by_columns)) return "";
  return c.rows == c.cols ? "the result is transposed. Are rows (y) and columns (x) swapped?"
                          : "the result lies column after column instead of row after row.";
}

inline std::string cause_multiple(const Comparison& c) {
  std::size_t largest = 0;
  std::size_t nonzero = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (std::fabs(c.expected[k]) > std::fabs(c.expected[largest])) largest = k;
    if (c.expected[k] != 0.0) ++nonzero;
  }
  if (nonzero < 2 || !is_number(c.got[largest])) return "";  // one element proves nothing
  const double factor = std::round(double{c.got[largest]} / c.expected[largest]);
  if (factor == 0.0 || std::fabs(factor) > 1e6) return "";
  const auto is_multiple = [&](std::size_t k) {
    return c.accepts(static_cast<float>(double{c.got[k]} / factor), k);
  };
  if (!for_all(c.size(), is_multiple)) return "";
  return "every element is " + std::to_string(static_cast<long>(factor)) +
         " times what it should be. Was the output cleared, and each term added once?";
}

inline std::string cause_ragged_edge(const Comparison& c) {
  std::size_t rows = 0;  // right elements at the start of column 0
  std::size_t cols = 0;  // and of row 0
  while (rows < c.rows && !c.wrong(rows * c.cols)) ++rows;
  while (cols < c.cols && !c.wrong(cols)) ++cols;
  // Sizes of blocks and tiles are multiples of 16, and no block is larger than 1024.
  const auto is_edge = [](std::size_t right, std::size_t all) {
    return right == all || (right > 0 && right % 16 == 0 && all - right < 1024);
  };
  const auto outside = [&](std::size_t k) { return k / c.cols >= rows || k % c.cols >= cols; };
  if (!is_edge(rows, c.rows) || !is_edge(cols, c.cols)) return "";
  if (!for_all(c.size(), [&](std::size_t k) { return c.wrong(k) == outside(k); })) return "";
  std::string edge = rows < c.rows ? "rows from " + std::to_string(rows) : "";
  if (rows < c.rows && cols < c.cols) edge += " and ";
  if (cols < c.cols) edge += "columns from " + std::to_string(cols);
  const bool unwritten =
      for_all(c.size(), [&](std::size_t k) { return !c.wrong(k) || never_written(c.got[k]); });
  return "the ragged edge: all " + edge +
         (unwritten
              ? " on are unwritten. Is there a block for them (the number rounded up, and made "
                "from the right extent), and is blockIdx in the index?"
              : " on are wrong. Has a block computed them, and what do tiles hold that are not "
                "full?");
}

/// Square tiles (in a vector: blocks) of `size` rows, each wrong as a whole or right as a whole.
inline std::string cause_tiles(const Comparison& c, std::size_t size) {
  const std::size_t width = c.cols == 1 ? 1 : size;
  const auto like_first_of_tile = [&](std::size_t k) {
    const std::size_t i = k / c.cols;
    const std::size_t j = k % c.cols;
    return c.wrong(k) == c.wrong((i - i % size) * c.cols + (j - j % width));
  };
  if (!for_all(c.size(), like_first_of_tile)) return "";
  std::size_t first = 0;  // wrong element, so also the first of its tile
  while (!c.wrong(first)) ++first;
  // A tile that the edge cuts is no evidence: it may be a single element.
  if (first / c.cols + size > c.rows || first % c.cols + width > c.cols) return "";
  const std::string side = std::to_string(size);
  const std::string tiles =
      c.cols == 1 ? "blocks of " + side + " rows" : "tiles of " + side + " x " + side;
  return "whole " + tiles + " are wrong, the first from " + c.place(first) +
         " on. Does one thread block go astray?";
}

inline std::string cause_same_lanes(const Comparison& c) {
  if (c.cols != 1 || c.rows < 64) return "";
  if (!for_all(c.rows, [&](std::size_t k) { return c.wrong(k) == c.wrong(k % 32); })) return "";
  std::string lanes;
  for (std::size_t k = 0; k < 32; ++k) {
    if (c.wrong(k)) lanes += " " + std::to_string(k);
  }
  return "it is the same rows of every 32, counted from 0:" + lanes +
         ". What is special about these lanes of a warp?";
}

/// The likely cause of what is wrong, or "" if no pattern shows one.
inline std::string likely_cause(const Comparison& c, bool all_wrong) {
  std::string cause = cause_same_everywhere(c);
  if (cause.empty()) cause = cause_transposed(c);
  if (cause.empty()) cause = cause_multiple(c);
  if (all_wrong) return cause;  // and no pattern can be seen
  if (cause.empty()) cause = cause_ragged_edge(c);
  const std::size_t largest = c.cols == 1 ? 1024 : 32;
  for (std::size_t size = largest; cause.empty() && size >= 16; size /= 2)
    cause = cause_tiles(c, size);
  if (cause.empty()) cause = cause_same_lanes(c);
  return cause;
}

/// Compares, and describes what is wrong.
inline Verdict judge(const Comparison& c) {
  if (c.size() == 0) return {true, "verified: nothing to check, the result is empty"};
  std::size_t wrong = 0;
  std::string list;
  double worst = 0.0;  // error as a part of its bound
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (!c.meaningful(k)) {
      return {false, "not verified: the expected value of " + c.place(k) +
                         " is no number that a float can hold, so nothing can be checked"};
    }
    if (!c.wrong(k)) {
      if (c.magnitude) worst = std::max(worst, c.error(c.got[k], k) / c.bound(k));
    } else if (++wrong <= 5) {
      list += "\n  " + c.describe(k);
    }
  }
  const std::string total = std::to_string(c.size());
  if (wrong == 0) {
    const std::string percent = std::to_string(std::lround(100.0 * worst));
    return {true, "verified: " + total + " of " + total +
                      (c.magnitude ? " within rounding (at most " + percent + " % of the bound)"
                                   : " bit for bit")};
  }
  if (wrong > 5) list += "\n  ...";
  std::string message =
      "not verified: " + std::to_string(wrong) + " of " + total + " are wrong" + list;
  const std::string cause = likely_cause(c, wrong == c.size());
  if (!cause.empty()) message += "\nlikely cause: " + cause;
  return {false, message};
}

}  // namespace detail

/// Compares bit for bit with the expected values rounded to float; only the sign of a zero is free,
/// because it depends on what a sum starts with. For exact data: see ExactValues.
/// @param got, expected rows x cols elements, row after row; cols is 1 for a vector.
inline Verdict verify_exact(const float* got, const double* expected, std::size_t rows,
                            std::size_t cols) {
  return detail::judge({got, expected, nullptr, rows, cols, 0.0});
}

/// Compares with the expected values up to the rounding errors of a sum in float:
/// |got - expected| <= c u sqrt(terms) magnitude, where u = 2^-24, plus one rounding of the result;
/// c is 16, and from 2^14 terms on 16 (terms / 2^14).
///
/// Source: rounding errors that are independent and of mean 0 add up to more than
/// c u sqrt(n) sum |a x| with a probability of about 2 n exp(-c * c / 2) at most (N. Higham and
/// T. Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM J. Sci. Comput. 41,
/// 2019). With random data c = 1 is not reached. The errors of the ladder's smooth data are not
/// independent: with as many rows as columns, a correct sum, one term after the other, was seen at
/// c = 8 for n = 2^14, at 19 for 2^15, 37 for 2^16 and 63 for 2^17. Hence the second factor; what
/// such a bound lets through, exact data shows.
///
/// @param got, expected rows x cols elements, row after row; cols is 1 for a vector.
/// @param magnitude sums of the absolute values of the terms, likewise
/// @param terms how many products were added up for one element
inline Verdict verify_bounded(const float* got, const double* expected, const double* magnitude,
                              std::size_t rows, std::size_t cols, std::size_t terms) {
  const auto n = static_cast<double>(terms);
  const double c = 16.0 * std::max(1.0, n * 0x1p-14);
  const double tolerance = c * 0x1p-24 * std::sqrt(n);
  return detail::judge({got, expected, magnitude, rows, cols, tolerance});
}

/// Compares y with the problem's reference: bit for bit if its data is exact, else bounded.
inline Verdict verify(const std::vector<float>& y, const SgemvProblem& problem) {
  if (y.size() != problem.rows) {
    return {false, "not verified: the result has " + std::to_string(y.size()) +
                       " elements instead of " + std::to_string(problem.rows)};
  }
  const double* const expected = problem.reference.data();
  const double* const magnitude = problem.magnitude.data();
  return problem.data == Data::exact
             ? verify_exact(y.data(), expected, problem.rows, 1)
             : verify_bounded(y.data(), expected, magnitude, problem.rows, 1, problem.cols);
}

}  // namespace course
