/// @file
/// What the checks of exercises about matrix products share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace course::exercise {

/// C has m x n elements, and each is a sum of k terms.
struct ProductShape {
  int m;
  int n;
  int k;
};

/// "m = 3, n = 5, k = 7".
inline std::string in_words(const ProductShape& shape) {
  return "m = " + std::to_string(shape.m) + ", n = " + std::to_string(shape.n) +
         ", k = " + std::to_string(shape.k);
}

/// An m x n matrix: element (i, j) is the sum over p of term(i, j, p).
template <class Term>
std::vector<double> sums_of_terms(const ProductShape& shape, const Term& term) {
  const auto m = static_cast<std::size_t>(shape.m);
  const auto n = static_cast<std::size_t>(shape.n);
  const auto k = static_cast<std::size_t>(shape.k);
  std::vector<double> result(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t p = 0; p < k; ++p) result[i * n + j] += term(i, j, p);
    }
  }
  return result;
}

}  // namespace course::exercise
