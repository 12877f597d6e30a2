// What the chapter computes, on the CPU and in double: the reference.
#pragma once

#include <vector>

#include "tensors.hpp"

// A contraction's result, and for each element the sum of its terms' absolute values, which bounds
// the error of a float result.
struct Reference {
  std::vector<double> values;
  std::vector<double> magnitudes;
};

// alpha A B + beta C. Without C, beta is ignored; without magnitudes it takes half the time.
Reference contract_on_cpu(const Contraction& c, double alpha, const std::vector<float>& A,
                          const std::vector<float>& B, double beta, const std::vector<float>& C,
                          bool with_magnitudes = true);

// Whether C is alpha A B, all whole numbers, without computing A B: for large tensors. For a vector
// x of random numbers (C x) must be alpha A (B x). It takes one step per element instead of one per
// product, and finds any number of wrong elements: that their errors, times x, add up to 0 has a
// probability of 2^-40 (R. Freivalds, 1977). Returns C's first wrong row, or -1.
long first_wrong_row(const Contraction& c, long alpha, const std::vector<float>& A,
                     const std::vector<float>& B, const std::vector<float>& C);
