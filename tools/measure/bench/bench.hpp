/// @file
/// The measuring itself.
#pragma once

#include "clocks/nvml.hpp"
#include "measure/registry.hpp"
#include "measure_options.hpp"
#include "results/record.hpp"

namespace course::measure {

/// Measures the ceilings, then every kernel of the registry at every shape, or at shapes drawn at
/// random if the options say so, and says on stderr how far it is.
/// @throws Error on a wrong result, naming kernel and shape, or if a CUDA call fails
Measurement run_bench(const MeasureOptions& options, const Registry& registry, ClockWatch& watch);

/// cuBLAS's product from the same layout: what each kernel is measured against.
const SgemvKernel& library_kernel(const Registry& registry, Layout layout);

/// cuBLAS's product of matrices: what our products are measured against.
const GemmKernel& library_product(const Registry& registry);

}  // namespace course::measure
