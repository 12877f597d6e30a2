// The functions of verify.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <mutex>

#include "verify.hpp"

namespace course {
namespace detail {

/// False for NaN and the infinities. It looks at the bits because -ffast-math lets the compiler
/// assume that there are none, and then std::isfinite() is always true.
COURSE_ONCE bool is_number(float value) {
  return (std::bit_cast<std::uint32_t>(value) & 0x7F800000u) != 0x7F800000u;
}

COURSE_ONCE bool never_written(float value) {
  return std::bit_cast<std::uint32_t>(value) == poison_bits;
}

/// A value's text in a message: with enough digits to distinguish it from its neighbours.
COURSE_ONCE std::string shown(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (!is_number(value)) return bits == 0x7F800000u ? "inf" : bits == 0xFF800000u ? "-inf" : "nan";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// A result of rows x cols elements, row-major, and the expected values.
struct Comparison {
  const float* got;
  const double* expected;
  const double* magnitude;  ///< nullptr: bit for bit
  std::size_t rows;
  std::size_t cols;
  double tolerance;  ///< the largest error of an element, relative to its magnitude

  std::size_t size() const { return rows * cols; }

  /// The largest error of element k. The last two terms round the result once, however small it is.
  double bound(std::size_t k) const {
    if (magnitude == nullptr) return 0.0;
    return tolerance * magnitude[k] + 0x1p-24 * std::fabs(expected[k]) + 0x1p-149;
  }

  /// The error of element k with this value.
  double error(float value, std::size_t k) const {
    const double target = magnitude ? expected[k] : double{static_cast<float>(expected[k])};
    return std::fabs(double{value} - target);
  }

  bool accepts(float value, std::size_t k) const {
    return is_number(value) && error(value, k) <= bound(k);
  }
  bool wrong(std::size_t k) const { return !accepts(got[k], k); }

  /// Whether element k's expected value is one that a float can have.
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

COURSE_ONCE std::string cause_same_everywhere(const Comparison& c) {
  if (for_all(c.size(), [&](std::size_t k) { return never_written(c.got[k]); })) {
    return "every element is what it was before, no number: nothing was written, or something was "
           "added to it. Was the kernel launched? If it adds, who sets the output to 0?";
  }
  if (for_all(c.size(), [&](std::size_t k) { return c.got[k] == 0.0f; })) {
    return "every element is 0: nothing was computed, or from zeros. Does the kernel write its "
           "result, and was the input copied to the device?";
  }
  return "";
}

COURSE_ONCE std::string cause_transposed(const Comparison& c) {
  if (c.rows < 2 || c.cols < 2) return "";
  const auto stored_by_columns = [&](std::size_t k) {
    return c.accepts(c.got[k % c.cols * c.rows + k / c.cols], k);
  };
  if (!for_all(c.size(), stored_by_columns)) return "";
  return c.rows == c.cols ? "the result is transposed. Are rows (y) and columns (x) swapped?"
                          : "the result lies column after column instead of row after row.";
}

COURSE_ONCE std::string cause_multiple(const Comparison& c) {
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

COURSE_ONCE std::string cause_ragged_edge(const Comparison& c) {
  std::size_t rows = 0;  // correct elements at the start of column 0
  std::size_t cols = 0;  // and at the start of row 0
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

/// Square tiles (in a vector: blocks) of `size` rows, each entirely wrong or entirely right.
COURSE_ONCE std::string cause_tiles(const Comparison& c, std::size_t size) {
  const std::size_t width = c.cols == 1 ? 1 : size;
  const auto like_first_of_tile = [&](std::size_t k) {
    const std::size_t i = k / c.cols;
    const std::size_t j = k % c.cols;
    return c.wrong(k) == c.wrong((i - i % size) * c.cols + (j - j % width));
  };
  if (!for_all(c.size(), like_first_of_tile)) return "";
  std::size_t first = 0;  // wrong element, so also the first of its tile
  while (!c.wrong(first)) ++first;
  // A tile cut off by the edge proves nothing: it may be a single element.
  if (first / c.cols + size > c.rows || first % c.cols + width > c.cols) return "";
  if (c.cols == 1 && size <= 32) {
    return "whole warps are wrong, " + std::string(size < 32 ? "or halves of them, " : "") +
           "the first from " + c.place(first) +
           " on. Do warps hand something to each other without a barrier (__syncthreads) between "
           "writing and reading it?";
  }
  const std::string side = std::to_string(size);
  const std::string tiles =
      c.cols == 1 ? "blocks of " + side + " rows" : "tiles of " + side + " x " + side;
  return "whole " + tiles + " are wrong, the first from " + c.place(first) +
         " on. Does one thread block go astray?";
}

COURSE_ONCE std::string cause_same_lanes(const Comparison& c) {
  if (c.cols != 1 || c.rows < 64) return "";
  if (!for_all(c.rows, [&](std::size_t k) { return c.wrong(k) == c.wrong(k % 32); })) return "";
  std::string lanes;
  for (std::size_t k = 0; k < 32; ++k) {
    if (c.wrong(k)) lanes += " " + std::to_string(k);
  }
  return "it is the same rows of every 32, counted from 0:" + lanes +
         ". What is special about these lanes of a warp?";
}

/// The likely cause of the wrong elements, or "" if no pattern shows one.
COURSE_ONCE std::string likely_cause(const Comparison& c, bool all_wrong) {
  std::string cause = cause_same_everywhere(c);
  if (cause.empty()) cause = cause_transposed(c);
  if (cause.empty()) cause = cause_multiple(c);
  if (all_wrong) return cause;  // no pattern is visible then
  if (cause.empty()) cause = cause_ragged_edge(c);
  const std::size_t largest = c.cols == 1 ? 1024 : 32;
  for (std::size_t size = largest; cause.empty() && size >= 16; size /= 2)
    cause = cause_tiles(c, size);
  if (cause.empty()) cause = cause_same_lanes(c);
  return cause;
}

COURSE_ONCE Verdict all_right(const Comparison& c, double worst) {
  const std::string total = std::to_string(c.size());
  const std::string percent = std::to_string(std::lround(100.0 * worst));
  return {true, "verified: " + total + " of " + total +
                    (c.magnitude ? " within rounding (at most " + percent + " % of the bound)"
                                 : " bit for bit")};
}

/// The largest error relative to its bound if every element is right, else a negative number.
COURSE_ONCE double worst_if_right(const Comparison& c) {
  std::mutex turn;
  double worst = 0.0;
  in_parallel(c.size(), c.size(), [&](std::size_t begin, std::size_t end) {
    double here = 0.0;
    for (std::size_t k = begin; k < end && here >= 0.0; ++k) {
      if (!c.meaningful(k) || c.wrong(k)) {
        here = -1.0;
      } else if (c.magnitude) {
        here = std::max(here, c.error(c.got[k], k) / c.bound(k));
      }
    }
    const std::lock_guard<std::mutex> mine(turn);
    worst = here < 0.0 || worst < 0.0 ? -1.0 : std::max(worst, here);
  });
  return worst;
}

/// Compares, and describes the errors.
COURSE_ONCE Verdict judge(const Comparison& c) {
  if (c.size() == 0) return {true, "verified: nothing to check, the result is empty"};
  if (const double worst = worst_if_right(c); worst >= 0.0) return all_right(c, worst);
  std::size_t wrong = 0;
  std::string list;
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (!c.meaningful(k)) {
      return {false, "not verified: the expected value of " + c.place(k) +
                         " is no number that a float can hold, so nothing can be checked"};
    }
    if (c.wrong(k) && ++wrong <= 5) list += "\n  " + c.describe(k);
  }
  if (wrong > 5) list += "\n  ...";
  std::string message = "not verified: " + std::to_string(wrong) + " of " +
                        std::to_string(c.size()) + " are wrong" + list;
  const std::string cause = likely_cause(c, wrong == c.size());
  if (!cause.empty()) message += "\nlikely cause: " + cause;
  return {false, message};
}

}  // namespace detail

COURSE_ONCE Verdict verify_exact(const float* got, const double* expected, std::size_t rows,
                                 std::size_t cols) {
  return detail::judge({got, expected, nullptr, rows, cols, 0.0});
}

COURSE_ONCE Verdict verify_exact(const std::vector<float>& got,
                                 const std::vector<float>& expected) {
  if (got.size() != expected.size()) {
    return {false, "not verified: the result has " + std::to_string(got.size()) +
                       " elements instead of " + std::to_string(expected.size())};
  }
  std::atomic<bool> right{!got.empty()};
  detail::in_parallel(got.size(), got.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      if (!detail::is_number(got[k]) || got[k] != expected[k]) right = false;
    }
  });
  if (right) return detail::all_right({nullptr, nullptr, nullptr, got.size(), 1, 0.0}, 0.0);
  const std::vector<double> wanted(expected.begin(), expected.end());
  return verify_exact(got.data(), wanted.data(), got.size(), 1);
}

COURSE_ONCE Verdict verify_bounded(const float* got, const double* expected,
                                   const double* magnitude, std::size_t rows, std::size_t cols,
                                   std::size_t terms) {
  const auto n = static_cast<double>(terms);
  const double c = 16.0 * std::max(1.0, n * 0x1p-14);
  const double tolerance = c * 0x1p-24 * std::sqrt(n);
  return verify_within(got, expected, magnitude, rows, cols, tolerance);
}

COURSE_ONCE Verdict verify_within(const float* got, const double* expected, const double* magnitude,
                                  std::size_t rows, std::size_t cols, double tolerance) {
  return detail::judge({got, expected, magnitude, rows, cols, tolerance});
}

COURSE_ONCE Verdict verify(const std::vector<float>& y, const SgemvProblem& problem) {
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
