/// @file
/// Compares a result with the expected one, says which elements are wrong, and names the likely
/// cause where the pattern of the wrong elements shows it.
///
///     const course::Verdict verdict = course::verify(y, problem);
///     std::puts(verdict.message.c_str());
///     if (!verdict) return 1;
///
/// NaN, infinity and elements that were never written are always wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data.hpp"

namespace course {

/// An output's bits before a kernel writes it: cudaMemset(y, 0xFF, bytes) leaves these bits in each
/// float. They are a NaN, but not the one that a GPU's arithmetic produces (0x7FFFFFFF).
inline constexpr std::uint32_t poison_bits = 0xFFFFFFFFu;

/// The result of a comparison.
struct Verdict {
  bool passed;
  std::string message;  ///< one line if passed, else several; no line break at the end
  explicit operator bool() const { return passed; }
};

/// Compares bit for bit with the expected values rounded to float; only the sign of a zero may
/// differ, because it depends on a sum's initial value. For exact data: see ExactValues.
/// @param got, expected rows x cols elements, row-major; cols is 1 for a vector.
Verdict verify_exact(const float* got, const double* expected, std::size_t rows, std::size_t cols);

/// The same for a vector, and floats that are expected.
Verdict verify_exact(const std::vector<float>& got, const std::vector<float>& expected);

/// Compares with the expected values up to the rounding errors of a sum in float:
/// |got - expected| <= c u sqrt(terms) magnitude, where u = 2^-24, plus one rounding of the result;
/// c is 16, and from 2^14 terms on 16 (terms / 2^14).
///
/// Source: rounding errors that are independent and of mean 0 add up to more than c u sqrt(n) sum
/// |a x| with a probability of about 2 n exp(-c * c / 2) at most (N. Higham and T. Mary, "A New
/// Approach to Probabilistic Rounding Error Analysis", SIAM J. Sci. Comput. 41, 2019). With random
/// data c = 1 is not reached. The errors of the ladder's smooth data are not independent: with as
/// many rows as columns, a correct sum, one term after the other, reached c = 8 for n = 2^14, 19
/// for 2^15, 37 for 2^16 and 63 for 2^17. Hence the second factor; exact data shows the errors that
/// such a bound does not detect.
///
/// @param got, expected rows x cols elements, row-major; cols is 1 for a vector.
/// @param magnitude sums of the absolute values of the terms, likewise
/// @param terms how many products were added up for one element
Verdict verify_bounded(const float* got, const double* expected, const double* magnitude,
                       std::size_t rows, std::size_t cols, std::size_t terms);

/// Compares with the expected values up to a bound of the caller's own, if more than float sums
/// rounds: |got - expected| <= tolerance magnitude, plus one rounding of the result.
Verdict verify_within(const float* got, const double* expected, const double* magnitude,
                      std::size_t rows, std::size_t cols, double tolerance);

/// Compares y with the problem's reference: bit for bit if its data is exact, else bounded.
Verdict verify(const std::vector<float>& y, const SgemvProblem& problem);

}  // namespace course

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "verify.inl"
#endif
