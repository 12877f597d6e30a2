/// @file
/// The measuring itself.
#pragma once

#include "measure_options.hpp"
#include "nvml.hpp"
#include "record.hpp"
#include "registry.hpp"

namespace course::measure {

/// Measures the ceilings, then every kernel of the registry at every shape, and says on stderr how
/// far it is.
/// @throws Error on a wrong result, naming kernel and shape, or if a CUDA call fails
Measurement run_bench(const MeasureOptions& options, const Registry& registry, ClockWatch& watch);

}  // namespace course::measure
