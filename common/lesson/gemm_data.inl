// The functions of gemm_data.hpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "gemm_data.hpp"

namespace course {
namespace detail {

// Columns of C that are computed at a time: their sums stay in the level-1 cache, and the four rows
// of B that are added to them at a time are read from start to end.
COURSE_ONCE constexpr std::size_t reference_columns = 256;

/// Rows `begin` to `end` of reference_gemm(), with or without the absolute values.
template <bool with_magnitude>
COURSE_DETAIL_HOST_LOOP void reference_rows(const float* A, const float* B, std::size_t begin,
                                            std::size_t end, std::size_t n, std::size_t k,
                                            double* C, double* magnitude) {
  double sums[reference_columns];
  double absolutes[reference_columns];
  for (std::size_t first = 0; first < n; first += reference_columns) {
    const std::size_t width = n - first < reference_columns ? n - first : reference_columns;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = 0; j < width; ++j) sums[j] = absolutes[j] = 0.0;
      std::size_t p = 0;
      for (; p + 4 <= k; p += 4) {
        const float* const a = A + i * k + p;
        const double a0 = static_cast<double>(a[0]);
        const double a1 = static_cast<double>(a[1]);
        const double a2 = static_cast<double>(a[2]);
        const double a3 = static_cast<double>(a[3]);
        const float* const b0 = B + p * n + first;
        const float* const b1 = b0 + n;
        const float* const b2 = b1 + n;
        const float* const b3 = b2 + n;
        for (std::size_t j = 0; j < width; ++j) {
          const double t0 = a0 * static_cast<double>(b0[j]);
          const double t1 = a1 * static_cast<double>(b1[j]);
          const double t2 = a2 * static_cast<double>(b2[j]);
          const double t3 = a3 * static_cast<double>(b3[j]);
          sums[j] += (t0 + t1) + (t2 + t3);
          if (with_magnitude)
            absolutes[j] += (std::fabs(t0) + std::fabs(t1)) + (std::fabs(t2) + std::fabs(t3));
        }
      }
      for (; p < k; ++p) {
        const double a = static_cast<double>(A[i * k + p]);
        const float* const b = B + p * n + first;
        for (std::size_t j = 0; j < width; ++j) {
          const double term = a * static_cast<double>(b[j]);
          sums[j] += term;
          if (with_magnitude) absolutes[j] += std::fabs(term);
        }
      }
      for (std::size_t j = 0; j < width; ++j) {
        C[i * n + first + j] = sums[j];
        if (with_magnitude) magnitude[i * n + first + j] = absolutes[j];
      }
    }
  }
}

}  // namespace detail

COURSE_ONCE void reference_gemm(const float* A, const float* B, std::size_t m, std::size_t n,
                                std::size_t k, double* C, double* magnitude) {
  detail::in_parallel(m, m * n * std::max<std::size_t>(k, 1),
                      [=](std::size_t begin, std::size_t end) {
                        if (magnitude != nullptr) {
                          detail::reference_rows<true>(A, B, begin, end, n, k, C, magnitude);
                        } else {
                          detail::reference_rows<false>(A, B, begin, end, n, k, C, nullptr);
                        }
                      });
}

COURSE_ONCE GemmProblem make_gemm(Data data, std::size_t m, std::size_t n, std::size_t k,
                                  std::uint64_t seed) {
  GemmProblem p{data, m, n, k, HostMatrix(m * k), HostMatrix(k * n), {}, {}};
  const std::uint64_t b_seed = ~seed;  // otherwise B would repeat A
  if (data == Data::exact) {
    fill_matrix(p.A.data(), m, k, Layout::row_major, ExactValues(k, seed));
    fill_matrix(p.B.data(), k, n, Layout::row_major, ExactValues(k, b_seed));
  } else if (data == Data::ladder) {
    fill_ladder_matrix(p.A.data(), m, k, Layout::row_major);
    fill_ladder_matrix(p.B.data(), k, n, Layout::row_major);
  } else {
    fill_matrix(p.A.data(), m, k, Layout::row_major, RandomValues(seed));
    fill_matrix(p.B.data(), k, n, Layout::row_major, RandomValues(b_seed));
  }
  p.reference.resize(m * n);
  if (data != Data::exact) p.magnitude.resize(m * n);
  reference_gemm(p.A.data(), p.B.data(), m, n, k, p.reference.data(),
                 data == Data::exact ? nullptr : p.magnitude.data());
  return p;
}

COURSE_ONCE Verdict verify(const std::vector<float>& C, const GemmProblem& problem) {
  if (C.size() != problem.m * problem.n) {
    return {false, "not verified: the result has " + std::to_string(C.size()) +
                       " elements instead of " + std::to_string(problem.m * problem.n)};
  }
  const double* const expected = problem.reference.data();
  return problem.data == Data::exact ? verify_exact(C.data(), expected, problem.m, problem.n)
                                     : verify_bounded(C.data(), expected, problem.magnitude.data(),
                                                      problem.m, problem.n, problem.k);
}

}  // namespace course
