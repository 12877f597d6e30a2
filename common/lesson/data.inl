// The functions of data.hpp.
#pragma once

#include <algorithm>
#include <system_error>
#include <thread>

#include "data.hpp"

namespace course {
namespace detail {

COURSE_ONCE void in_parallel(std::size_t count, std::size_t work,
                             const std::function<void(std::size_t, std::size_t)>& body) {
  const std::size_t cores = std::clamp(std::thread::hardware_concurrency(), 1U, 16U);
  const std::size_t pieces = work < (1U << 20) ? 1 : std::min(cores, count);
  const auto start_of = [&](std::size_t piece) { return count * piece / pieces; };
  std::vector<std::jthread> others;  // their destructors wait for them
  for (std::size_t piece = 1; piece < pieces; ++piece) {
    try {
      others.emplace_back(body, start_of(piece), start_of(piece + 1));
    } catch (const std::system_error&) {  // no more threads available
      body(start_of(piece), start_of(piece + 1));
    }
  }
  body(0, pieces == 0 ? 0 : start_of(1));
}

/// Rows `begin` to `end` of reference_sgemv().
COURSE_DETAIL_HOST_LOOP COURSE_ONCE void reference_by_rows(const float* A, const float* x,
                                                           std::size_t begin, std::size_t end,
                                                           std::size_t n, double* y,
                                                           double* magnitude) {
  for (std::size_t i = begin; i < end; ++i) {
    const float* const row = A + i * n;
    double sum = 0.0;
    double absolute = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double term = static_cast<double>(row[j]) * static_cast<double>(x[j]);
      sum += term;
      absolute += std::fabs(term);
    }
    y[i] = sum;
    magnitude[i] = absolute;
  }
}

/// The same for a column-major matrix with m rows.
COURSE_DETAIL_HOST_LOOP COURSE_ONCE void reference_by_columns(const float* A, const float* x,
                                                              std::size_t begin, std::size_t end,
                                                              std::size_t m, std::size_t n,
                                                              double* y, double* magnitude) {
  for (std::size_t i = begin; i < end; ++i) y[i] = magnitude[i] = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    const float* const column = A + j * m;
    const double xj = static_cast<double>(x[j]);
    for (std::size_t i = begin; i < end; ++i) {
      const double term = static_cast<double>(column[i]) * xj;
      y[i] += term;
      magnitude[i] += std::fabs(term);
    }
  }
}

}  // namespace detail

COURSE_ONCE void reference_sgemv(const float* A, const float* x, std::size_t m, std::size_t n,
                                 Layout layout, double* y, double* magnitude) {
  detail::in_parallel(m, m * n, [=](std::size_t begin, std::size_t end) {
    if (layout == Layout::row_major) {
      detail::reference_by_rows(A, x, begin, end, n, y, magnitude);
    } else {
      detail::reference_by_columns(A, x, begin, end, m, n, y, magnitude);
    }
  });
}

COURSE_ONCE SgemvProblem make_sgemv(Data data, std::size_t m, std::size_t n, Layout layout,
                                    std::uint64_t seed) {
  SgemvProblem p{data, m, n, layout, {}, {}, {}, {}};
  p.A = HostMatrix(m * n);
  p.x.resize(n);
  const std::uint64_t x_seed = ~seed;  // otherwise x would repeat row 0 of A
  if (data == Data::exact) {
    fill_matrix(p.A.data(), m, n, layout, ExactValues(n, seed));
    fill_vector(p.x.data(), n, ExactValues(n, x_seed));
  } else if (data == Data::ladder) {
    fill_ladder_matrix(p.A.data(), m, n, layout);
    fill_ladder_vector(p.x.data(), n);
  } else {
    fill_matrix(p.A.data(), m, n, layout, RandomValues(seed));
    fill_vector(p.x.data(), n, RandomValues(x_seed));
  }
  p.reference.resize(m);
  p.magnitude.resize(m);
  reference_sgemv(p.A.data(), p.x.data(), m, n, layout, p.reference.data(), p.magnitude.data());
  return p;
}

}  // namespace course
