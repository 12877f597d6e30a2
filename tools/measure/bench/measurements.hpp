/// @file
/// Measuring each kind of kernel at one shape.
#pragma once

#include "bench/chapter_filter.hpp"
#include "bench/shapes.hpp"
#include "bench/timing_session.hpp"
#include "measure/registry.hpp"

namespace course::measure {

void measure_saxpy(TimingSession& session, const Registry& registry, std::size_t n);

void measure_sgemv(TimingSession& session, const Registry& registry, const ChapterFilter& wanted,
                   const MatrixShape& shape, Layout layout);

/// Whether a kernel is measured at a shape: most kernels would take seconds for a large product.
inline bool is_measured(const GemmKernel& kernel, const ProductShape& shape,
                        const ChapterFilter& wanted) {
  return wanted(kernel.chapter) && (kernel.large || !shape.large);
}

void measure_gemm(TimingSession& session, const Registry& registry, const ChapterFilter& wanted,
                  const ProductShape& shape);

void measure_problem(TimingSession& session, const Problem& problem);

/// One that was drawn: cold, and its first competitor only.
void measure_drawn_problem(TimingSession& session, const Problem& problem);

}  // namespace course::measure
