/// @file
/// Data of a matrix product, C = A B, and its expected result. All three are row-major: A is m x k,
/// B is k x n, C is m x n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data.hpp"
#include "verify.hpp"

namespace course {

/// C = A B, and its expected result.
struct GemmProblem {
  Data data;
  std::size_t m;                  ///< rows of A and of C
  std::size_t n;                  ///< columns of B and of C
  std::size_t k;                  ///< columns of A, rows of B
  HostMatrix A;                   ///< m * k elements
  HostMatrix B;                   ///< k * n elements
  std::vector<double> reference;  ///< m * n elements: A B in float64, from these very floats
  std::vector<double> magnitude;  ///< m * n elements: |A| |B|; empty if the data is exact
};

/// C = A B in float64, and for the error bound of verify.hpp magnitude = |A| |B|, on all cores.
/// @param magnitude m * n elements, or nullptr if it is not needed
void reference_gemm(const float* A, const float* B, std::size_t m, std::size_t n, std::size_t k,
                    double* C, double* magnitude);

/// Makes the data of an m x n x k problem (each may be 0) and its reference.
/// @param seed chooses the exact and the random data. The ladder's A and B are both the ladder's
///             matrix, always the same.
GemmProblem make_gemm(Data data, std::size_t m, std::size_t n, std::size_t k,
                      std::uint64_t seed = 1);

/// Compares C with the problem's reference: bit for bit if its data is exact, else bounded.
Verdict verify(const std::vector<float>& C, const GemmProblem& problem);

}  // namespace course

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "gemm_data.inl"
#endif
