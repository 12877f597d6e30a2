/// @file
/// Measuring at shapes drawn at random: draw.hpp says why, and which.
#pragma once

#include "bench/cold_cache.hpp"
#include "clocks/nvml.hpp"
#include "measure/registry.hpp"
#include "measure_options.hpp"
#include "results/record.hpp"

namespace course::measure {

/// Measures each kernel that wants it (`drawn` in measure/registry.hpp) against cuBLAS, in turns
/// and with a cold cache, and adds what came of it to the result.
/// @throws Error on a wrong result, naming kernel and shape, or if a CUDA call fails
void measure_drawn(const MeasureOptions& options, const Registry& registry, ClockWatch& watch,
                   ColdCache& cold, Measurement& result);

}  // namespace course::measure
